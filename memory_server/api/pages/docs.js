// Shows the description of the API, which the server gives to those who have the key only.
"use strict";

const token = localStorage.getItem("LIGHTRAG-API-TOKEN");
if (token) {
  document.getElementById("said").remove();
  window.SwaggerUIBundle({
    url: "openapi.json",
    dom_id: "#api",
    requestInterceptor: (request) => {
      if (new URL(request.url, location.href).origin === location.origin)
        request.headers.Authorization = `Bearer ${token}`;
      return request;
    },
  });
}
