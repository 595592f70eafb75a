"""Lines that hold no secret, however much some of them look or sound as if: they must stay as they are."""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

BENIGN: Final = """\
My booking code is 567-G0
My PIN hint is 42
I forgot my password again
Can you help me reset my password?
password = db.Column(db.String(120), nullable=False)
user = User(name=name, password=hashed_password)
new_user.set_password(form.password.data)
self.client.post("/login", data={"name": "testuser", "password": "testpassword"})
return jsonify({"error": "Username and password are required"}), 400
hashed = bcrypt.hashpw(password.encode("utf-8"), salt); stored_password = hashed
def login(): pass @app.route("/login")
Alternatively, you can pass `debug=True` to the call
We tested all endpoints, with a 95% pass rate. However, two are slow
Use a very long password (e.g. 10,000 characters) and one-time passwords (TOTP)
const web = new WebClient('xoxb-your-slack-token');
The password must have at least 8 characters
Where do I change my password?
The password is stored in the vault
My password is too long to type on the phone
The password was wrong three times
Your password is required to continue
password strength: weak
The password field is empty
I never share my password with anyone
She asked for the password, but I did not tell her
A password manager would help
The password policy says 90 days
My passport number is on the fridge
Passing the exam was easy
The pass is closed in winter
I need a boarding pass for the flight
The hiking pass costs 20 euros
My key is under the doormat
The key insight is that caching helps
The secret ingredient is cinnamon
It's a secret
The token costs 0.0042 dollars
Each token is about four characters
The bearer of bad news
Basic training starts on Monday
Authorization is needed for the trip
My order number is 20260207-1432
Invoice 2026-000123 is due on 15 March
Order 4512 8890 1123 arrived
The tracking number is JD014600003SE
My phone number is +49 170 1234567
Call me at (555) 123-4567
The serial number is C02XK1JHJGH5
My flight is LH1234 on 12 May at 09:40
The meeting id is 845 1290 3321
Room 1204, floor 12
ISBN 978-3-16-148410-0
The UUID is 550e8400-e29b-41d4-a716-446655440000
commit 3f2a9c1e4b5d6f7a8b9c0d1e2f3a4b5c6d7e8f90
sha256 of the file is e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
See https://example.com/articles/how-to-choose-a-password
https://github.com/python/cpython/issues/12345
https://www.youtube.com/watch?v=dQw4w9WgXcQ
My email is anna@example.com
I live at 221B Baker Street, London
The coordinates are 52.520008, 13.404954
Version 1.2.3-rc.4+build.567 is out
pip install requests==2.31.0
docker run -p 8080:80 nginx:1.25
def login(user: str, password: str) -> bool:
password = input('Password: ')
password=os.environ["DB_PASSWORD"]
if password is None: return
self.password = password
hash_password(password)
PASSWORD_MIN_LENGTH = 12
api_key: str | None = None
API_KEY=<your key here>
set the API key in the settings
You need an API key from the console
The api key expired last week
My car key is lost
The keynote was great
Monkey business is funny
The tokenizer splits words
The secretary called
Credentials are checked by the server
He has good credentials as a teacher
The pin fell out of the hinge
Pin this message please
I bought a rolling pin
The PIN was blocked after three attempts
My PIN hint is my grandma's birthday
Please pin 3 messages
My lucky number is 7
The door code hint is the year of our wedding
My locker is number 12
Gate B42 closes at 18:05
The reservation is under Weber
Booking reference K8X2PQ
My seat is 14C
The wifi is called FRITZ!Box 7590
The wifi is slow today
Wifi works in the kitchen only
My sister Vera lives in Porto
Our budget is 12000 euros
Rent is 950 euros per month
I was born on 3 May 1985
The recipe needs 250 g flour and 3 eggs
The train leaves at 14:30 from platform 7
I owe Max 40 euros
We scored 3:2 yesterday
My shoe size is 43
The temperature was -12 degrees
IP 192.168.178.42 is the printer
The server listens on 127.0.0.1:9621
The log says ERR_CONNECTION_REFUSED
Error 0x80070005 appeared
MAC address 00:1B:44:11:3A:B7
It costs $1,299.99
The population is 83200000
1234567890123 is a big number
1111 2222 3333 4444 is not a real card
4111 1111 1111 1112 has a typo
The number 9999999999999999 looks odd
DE00 1234 5678 9012 3456 78 is not valid
Chapter 3: The secret garden
The passphrase should be long
A good passphrase is long and easy to remember
Login with Google is easier
The login page is broken
My login does not work
User authentication uses OAuth
JWT stands for JSON Web Token
The eyJ prefix means it is a JWT
Use a longer password next time
Change the password every month
The password reset link expired
I set a new password yesterday
He guessed the password
My password is the same everywhere, I know, bad
The password is case-sensitive
What's the password hint?
Tell me the password rules
Is the password still valid?
My old password was better
The first password was rejected
All passwords are hashed
Passwords are stored with bcrypt
The seed phrase must be kept offline
Plant the seeds in April
I wrote a phrase book
Remember to renew my passport
SSH keys are better than passwords
Public key: ssh-ed25519
The public transport is free
Keep the receipt for 24 months
Reference: ABC-2026-0042
Customer number 1002003004
Tax id is on the letter
Policy number HV-44-1290
Licence plate B-MW 4711
VIN is in the car papers
The contract runs until 31.12.2027
Podcast episode 512 was great
Windows 11 version 23H2
iPhone 15 Pro Max 256 GB
USB-C cable 2 m
Model XPS-13-9310
GPT-4o and Claude are models
all-MiniLM-L6-v2 is small
The hash of the password is stored
The code is in adapters/sqlite/database.py
TODO: rename key to name
Let's meet at 10
The combination of salt and pepper works
Safe travels!
The safe is heavy
A four-digit number
Our anniversary is on 12/06/2015
The score was 21-19, 21-17
Press Ctrl+Shift+P
x = 3 * (y + 2)
for key, value in items.items():
token = next(tokens)
tokens = text.split()
secret = load_secret(path)
The key is called name
"key": "value"
Мой код бронирования 567-G0
Подсказка к моему пин-коду: год свадьбы
Я забыл пароль от почты
Помоги сменить пароль
Пароль не подходит
Пароль неверный
пароль слишком короткий
Пароль должен быть не короче 8 символов
Пароль лежит в сейфе
Пароль от вайфая знает Лена
Где поменять пароль?
Не говори никому пароль
Введите пароль ещё раз
Пароль пришлют по почте
Пароль истёк вчера
У пароля нет срока действия
Менеджер паролей удобнее
Какой пароль у вайфая?
Скажи пароль Лене
Пароль спроси у админа
Паспорт лежит в ящике
Номер паспорта я не помню
Ключ под ковриком
Ключ от квартиры у соседки
Ключевая мысль простая
Это секрет
Секретный ингредиент — корица
Токен стоит 3 рубля
Моя сестра Вера живёт в Порту
Мой рейс SU1234 в 9:40
Номер заказа 2026-000123
Мой телефон +7 912 345-67-89
Трек-номер RA123456789RU
ИНН в договоре
СНИЛС лежит в папке
Кабинет 1204 на 12 этаже
Встреча в среду в 15:00
Бюджет 120000 рублей
Размер обуви 43
Я родился 3 мая 1985 года
Рецепт: 250 г муки и 3 яйца
Поезд с 7 пути в 14:30
Сервер слушает порт 9621
Версия 1.2.3 вышла вчера
Ошибка 404 на сайте
Логин у меня anna
Логин не работает
Авторизация через госуслуги
Кодовое слово я не помню
Код домофона 45К67
Код региона 77
Мой любимый код — без багов
Пин-код я никому не говорю
Пинг до сервера 42 мс
Пинкод заблокирован после трёх попыток
Карта потерялась
Карту заблокировали
Номер карты спрашивать нельзя
1111 2222 3333 4444 — не карта
Квартира 45, подъезд 3
Почта anna@example.com
Пароль — это не главное
Пароль был простой
Новый пароль придумаю завтра
Старый пароль больше не работает
Пароль надо менять раз в месяц
Сбросил пароль, жду письмо
Пароль сменили без меня
Пароли хранятся в виде хешей
Фраза дня: не сдавайся
Парольная политика строгая
Пасс на фланг был отличный
Пасха в этом году 12 апреля
Паста с грибами удалась
Купил пас на подъёмник
Токены заканчиваются
Баланс 4512 рублей
Страница 512, глава 8
Дом 12, корпус 3, квартира 45
Школа номер 57
Автобус 146 ходит редко
Рост 182, вес 75
Давление 120 на 80
Мне 34 года
Дедлайн 15 марта
Люблю чай без сахара
Машина а123вс77
Аллергия на орехи
Секретарь позвонит завтра
Ключи забрал Игорь
Сид-фразу храни офлайн
Посадил семена в апреле
Mein Buchungscode ist 567-G0
Mein PIN-Hinweis ist das Jahr der Hochzeit
Ich habe mein Passwort vergessen
Das Passwort ist falsch
Das Passwort ist abgelaufen
Das Passwort muss mindestens 8 Zeichen haben
Das Passwort steht im Tresor
Wo kann ich mein Passwort ändern?
Bitte Passwort eingeben
Passwort zurücksetzen hat geklappt
Mein Passwort ist zu lang
Das Kennwort wurde geändert
Ein Passwortmanager hilft
Welches Passwort hat das WLAN?
Kennwort vergessen
Das WLAN ist langsam
Meine Schwester Vera wohnt in Porto
Der Schlüssel liegt unter der Matte
Der Schlüssel zum Erfolg ist Geduld
Das ist ein Geheimnis
Die geheime Zutat ist Zimt
Meine Telefonnummer ist 0170 1234567
Die Bestellnummer ist 2026-000123
Rechnung 4711 ist bezahlt
Der Zug fährt um 14:30 von Gleis 7
Die Miete beträgt 950 Euro
Ich bin am 3. Mai 1985 geboren
Die PIN wurde gesperrt
Bitte die PIN nicht weitergeben
Zimmer 1204 im 12. Stock
Schuhgröße 43
Kundennummer 1002003004
Das Kennzeichen ist B-MW 4711
Mein Reisepass liegt in der Schublade
Der Pass ist im Winter gesperrt
Passt das so?
Der Token kostet 3 Cent
Meine E-Mail ist anna@example.com
Das Rezept braucht 250 g Mehl
Version 1.2.3 ist da
Der Termin ist am 12.05. um 10 Uhr
Das Codewort kenne ich nicht
Die Losung des Tages ist kurz
"""
"""Handwritten, one a line, English, Russian and German."""


def benign(seed: int, count: int) -> Iterator[str]:
    """Yield ``count`` different lines: the handwritten ones, then made ones with figures and names in them."""
    chance = random.Random(seed)
    handwritten = BENIGN.strip().splitlines()
    yield from handwritten[:count]
    for _ in range(count - len(handwritten)):
        yield chance.choice(_MADE)(chance)


def _day(chance: random.Random) -> datetime:
    return datetime(2020, 1, 1) + timedelta(minutes=chance.randrange(3_000_000))  # noqa: DTZ001  only printed


def _name(chance: random.Random) -> str:
    return chance.choice(("Anna", "Vera", "Max", "Igor", "Вера", "Лена", "Jürgen", "Maria"))


_MADE: Final = (
    lambda c: f"order {c.randrange(10**9, 10**10)} arrived on {_day(c):%d.%m.%Y}",
    lambda c: f"the request id was {uuid.UUID(int=c.getrandbits(128))}",
    lambda c: f"fixed in {c.getrandbits(160):040x}",
    lambda c: f"{_name(c)} wrote at {_day(c):%Y-%m-%d %H:%M:%S} from 10.0.{c.randrange(256)}.{c.randrange(256)}",
    lambda c: f"call {_name(c)}: +49 {c.randrange(150, 180)} {c.randrange(10**6, 10**7)}",
    lambda c: f"телефон {_name(c)}: +7 9{c.randrange(10, 99)} {c.randrange(100, 999)}-{c.randrange(1000, 9999)}",
    lambda c: (
        f"{_name(c)} paid {c.randrange(10, 10_000)}.{c.randrange(10, 99)} euros for ticket {c.randrange(10**5, 10**6)}"
    ),
    lambda c: f"my booking code is {c.randrange(100, 999)}-{c.choice('ABCDEFG')}{c.randrange(10)}",
    lambda c: (
        f"flight {c.choice(('LH', 'SU', 'BA'))}{c.randrange(100, 9999)} at {_day(c):%H:%M}, seat {c.randrange(1, 40)}C"
    ),
    lambda c: f"parcel {c.choice('RLCE')}{c.choice('ABCD')}{c.randrange(10**8, 10**9)}DE is at the neighbour's",
    lambda c: f"the file is /srv/data/{_name(c).lower()}/{_day(c):%Y/%m}/report_{c.randrange(10**6)}.pdf",
    lambda c: f"{_name(c)} lives in {c.choice(('Porto', 'Berlin', 'Казань', 'Wien'))} since {c.randrange(1990, 2026)}",
    lambda c: f"invoice {c.randrange(2015, 2026)}-{c.randrange(10**5, 10**6)} over {c.randrange(10, 5000)} EUR",
    lambda c: f"{_name(c)} forgot the password on {_day(c):%d %B}",
    lambda c: f"пароль сбросили {_day(c):%d.%m.%Y}, {_name(c)} в курсе",
    lambda c: f"meeting id {c.randrange(100, 999)} {c.randrange(1000, 9999)} {c.randrange(1000, 9999)}",
    lambda c: f"took {c.random():.16f} seconds, {c.randrange(10**12, 10**13)} ns",
    lambda c: f"customer {c.randrange(10**9, 10**10)}, contract {c.randrange(10**7, 10**8)}",
    lambda c: f"at {c.uniform(-90, 90):.6f}, {c.uniform(-180, 180):.6f}",
    lambda c: f"telemetry {c.randrange(1_600_000_000_000, 1_800_000_000_000)} ok {c.randrange(10**6)}",
)
