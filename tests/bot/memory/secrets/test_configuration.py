"""Passwords leave configuration and commands, and code that only names one stays as it is.

Mutation checks, made once: without ``find_configured_secrets`` the first test turns red, without the references among
the placeholders the second.
"""

from __future__ import annotations

from bot.memory.secrets.redaction import Source, redact

GIVEN = """\
requirepass lanternFish_09|lanternFish_09
rootpw willow.Drum4|willow.Drum4
bindpw: willowDrum4|willowDrum4
SMTP_PASS='willow'|willow
<add key="SmtpPassword" value="Cobalt&Rain3" />|Cobalt&Rain3
<property name="connection.password">mossy-Kettle5</property>|mossy-Kettle5
<DbPassword>mossy-Kettle5</DbPassword>|mossy-Kettle5
ssid="Home" psk="oldmill4lane"|oldmill4lane
sshpass -p 'turnip.Moon6' ssh deploy@host|turnip.Moon6
mysqldump -uroot -p'turnip!Moon6' shop > dump.sql|turnip!Moon6
podman login -u bob -p turnipMoon6 registry.example.com|turnipMoon6
redis-cli -h cache -a turnipMoon6 ping|turnipMoon6
unzip -P turnipMoon6 backup.zip|turnipMoon6
openssl enc -aes-256-cbc -pass pass:turnipMoon6 -in a|turnipMoon6
keytool -genkey -storepass turnipMoon6 -keystore k.jks|turnipMoon6
htpasswd -bc .htpasswd bob turnipMoon6|turnipMoon6
echo turnipMoon6 | sudo -S apt update|turnipMoon6
echo 'bob:turnipMoon6' | chpasswd|turnipMoon6
CREATE USER bob IDENTIFIED BY 'turnip moon';|turnip moon
net use Z: \\\\srv\\share turnipMoon6 /user:bob|turnipMoon6
ConvertTo-SecureString "turnipMoon6" -AsPlainText -Force|turnipMoon6
SECRET_KEY = "moss-kettle-9x!turnip"|moss-kettle-9x!turnip
enable secret 0 turnipMoon6|turnipMoon6
password = "turnip.moon"|turnip.moon
"""
NAMED_ONLY = """\
password = var.db_password
password: config.smtp.password,
val password = binding.passwordField.text
let password = rpassword::prompt_password("Password: ")?;
password: Option<String>,
Password::reset($token)
psk: Option<&[u8]>,
Enter passphrase for key '/home/max/.ssh/id_ed25519':
fn set_password(&mut self, password: &str) -> Result<()> {
Access denied for user 'root'@'localhost' (using password: YES)
password: !vault |
<add key="SmtpPassword" value="%SMTP_PASSWORD%" />
<setting name="PasswordExpired" value="false"/>
<string name="enter_password">Enter your password</string>
<label id="password">Password:</label>
db_pass = cfg.get("pass")
bypass = true
reset_password: users/reset
mysql -u root -p shop
sshpass -f ~/.pass ssh deploy@host
docker login -p $TOKEN
docker run -p 8080:80 -e MODE=prod web
echo $PASSWORD | sudo -S true
IDENTIFIED BY '<password>'
API_KEY = "your-api-key-here"
auth-user-pass /etc/openvpn/pass.txt
"""


def test_passwords_leave_configuration_and_commands() -> None:
    """Behind a directive, beside the attribute that names it, behind the option of its program, in SQL."""
    given = [line.rpartition("|")[::2] for line in GIVEN.splitlines()]

    assert [text for text, secret in given if secret in redact(text).text] == []


def test_what_refers_to_a_password_stays() -> None:
    """A variable, a type, a call, a path and a placeholder are no passwords."""
    assert [line for line in NAMED_ONLY.splitlines() if redact(line).kinds] == []


def test_a_manual_may_show_an_ordinary_word() -> None:
    """In a document only what looks like a password is one."""
    assert redact("requirepass foobared", Source.DOCUMENT).kinds == ()
    assert "lanternFish_09" not in redact("requirepass lanternFish_09", Source.DOCUMENT).text
