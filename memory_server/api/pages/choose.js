// Lists workspaces with the key and links to the web interface of each.  The key is read where LightRAG's interface
// keeps it after a login, or typed; it is stored nowhere by this page.
"use strict";

const part = (id) => document.getElementById(id);
const rule = /^[A-Za-z0-9_]{1,64}$/;
const address = (name) => `/w/${name}/webui/`;

async function list() {
  const key = part("key").value || localStorage.getItem("LIGHTRAG-API-TOKEN") || "";
  part("names").replaceChildren();
  const answer = await fetch("/workspaces", { headers: { Authorization: `Bearer ${key}` } }).catch(() => null);
  if (!answer || !answer.ok) {
    part("said").textContent = answer && answer.status === 403 ? "The key is not right." : "The server does not answer.";
    return;
  }
  const names = (await answer.json()).workspaces.filter((name) => rule.test(name));
  part("said").textContent = names.length ? "" : "There is no workspace yet.";
  for (const name of names) {
    const link = document.createElement("a");
    link.href = address(name);
    link.textContent = name;
    const row = document.createElement("li");
    row.append(link);
    part("names").append(row);
  }
}

part("listing").addEventListener("submit", (event) => {
  event.preventDefault();
  list();
});
part("opening").addEventListener("submit", (event) => {
  event.preventDefault();
  if (rule.test(part("name").value)) location.assign(address(part("name").value));
});
if (localStorage.getItem("LIGHTRAG-API-TOKEN")) list();
