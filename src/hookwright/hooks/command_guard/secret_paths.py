"""Which paths hold secrets: keys, `.env` files, credentials of command-line tools. The only list of them.

a path → [is_secret_path | is_secret_folder] → yes or no;  any text → [may_name_secret] → worth a look
By name only, no file is read. Samples (`.env.example`), public keys and `known_hosts` are no secrets.
"""

from __future__ import annotations

NAMES = frozenset(
    (
        ".env .envrc .netrc _netrc .pgpass .my.cnf .mylogin.cnf .pypirc .git-credentials .htpasswd .vault-token "
        ".vault_pass .dockercfg .s3cfg .boto .databrickscfg .passwd-s3fs kubeconfig "
        "id_rsa id_dsa id_ecdsa id_ed25519 id_ecdsa_sk id_ed25519_sk "
        "credentials.json client_secret.json service-account.json service_account.json serviceaccount.json "
        "gcp-key.json application_default_credentials.json credentials.tfrc.json master.key rclone.conf kaggle.json "
        ".secret .secrets secrets.yml secrets.yaml secrets.json secrets.toml secrets.ini secrets.txt secrets.tfvars "
        "secret.yml secret.yaml secret.json secret.toml secret.ini secret.txt secret.tfvars "
        "credentials.yml credentials.yaml credentials.toml credentials.ini credentials.csv credentials.txt "
        "passwords.txt password.txt api_keys.txt apikeys.txt wallet.dat "
        "terraform.tfstate terraform.tfstate.backup .bash_history .zsh_history .psql_history .mysql_history "
        ".python_history .node_repl_history .rediscli_history fish_history"
    ).split()
)
ENDS = (".pem", ".key", ".p12", ".pfx", ".p8", ".jks", ".keystore", ".kdbx", ".ppk", ".age", ".kubeconfig")
PUBLIC_MARKS = ("cert", "pub", "chain", "ca.", "ca-", "crt", "bundle", "root")  # in the name of a public .pem
PLACES = (
    "/.aws/credentials",
    "/.aws/sso/cache/",
    "/.aws/cli/cache/",
    "/.kube/config",
    "/.docker/config.json",
    "/.config/gh/hosts.yml",
    "/.config/glab-cli/config.yml",
    "/.config/hub",
    "/.config/git/credentials",
    "/.config/gcloud/",
    "/.config/op/",
    "/.config/doctl/config.yaml",
    "/.config/hcloud/cli.toml",
    "/.config/stripe/config.toml",
    "/.config/ngrok/ngrok.yml",
    "/.config/rclone/",
    "/.config/sops/age/",
    "/.fly/config.yml",
    "/com.vercel.cli/auth.json",
    "/.azure/",
    "/.gnupg/",
    "/.password-store/",
    "/.terraform.d/credentials",
    "/.cargo/credentials",
    "/.gem/credentials",
    "/.composer/auth.json",
    "/.m2/settings.xml",
    "/.m2/settings-security.xml",
    "/.gradle/gradle.properties",
    "/.cache/huggingface/token",
    "/.huggingface/token",
    "/.codex/auth.json",
    "/.claude/.credentials.json",
    "/Library/Keychains/",
    "/keyrings/",
    "/run/secrets/",
    "/var/run/secrets/",
    "/etc/shadow",
    "/etc/gshadow",
    "/etc/ssl/private/",
    "/etc/krb5.keytab",
)
FOLDERS = (
    "/.ssh",
    "/.aws",
    "/.gnupg",
    "/.kube",
    "/.azure",
    "/.config/gcloud",
    "/.password-store",
    "/.config/op",
    "/.docker",
)
PUBLIC_SSH = frozenset(("config", "known_hosts", "known_hosts.old", "authorized_keys", "environment", "rc"))
SAMPLES = ("example", "sample", "template", "tmpl", "tpl", "dist", "defaults", "default", "schema", "test", "ci",
           "ports", "vault", "d.ts", "md")  # fmt: skip
# Every secret path has one of these in it; looked for in a command before it is read.
MARKS = (".env", "id_rsa", "id_dsa", "id_ec", "id_ed", "credential", "secret", ".ssh", "shadow", "netrc",
         ".pgpass", ".pem", ".key", ".aws", ".kube", ".gnupg", "password", ".p12", ".pfx", ".p8", ".jks",
         ".keystore", ".kdbx", ".ppk", ".age", ".azure", "gcloud", ".my.cnf", ".mylogin", ".pypirc", ".boto",
         ".s3cfg", "kubeconfig", ".docker", ".config/", "service-account", "service_account", "serviceaccount",
         "gcp-key", "ssl/private", "/environ", ".htpasswd", ".vault", ".npmrc", "auth.json", "wallet.dat",
         ".databrickscfg", ".passwd-s3fs", "rclone", "kaggle", "api_keys", "apikeys", ".m2/", ".gradle/", ".fly/",
         "huggingface", "Keychains", "keyrings", "_key", "tfstate", "_history", "keytab", "adminsdk",
         ".e*", ".en*", ".en?", ".[e", ".?nv")  # fmt: skip


def is_secret_path(path: str) -> bool:
    """Whether a file of this path holds secrets: absolute, `~/…`, or relative to the project."""
    name = path[path.rfind("/") + 1 :]
    whole = path if path[:1] == "/" else "/" + path
    if name in NAMES:
        return True
    if name.endswith(ENDS):
        return not (name.endswith((".pem", ".key")) and any(mark in name for mark in PUBLIC_MARKS))
    if name[:5] in (".env.", ".env-", ".env_", ".envr"):
        return not name[5:].startswith(SAMPLES) and not name.endswith(SAMPLES)
    if name.endswith(".env") and " " not in name:  # prod.env
        return not name[:-4].lstrip(".").endswith(SAMPLES)
    if "/.ssh/" in whole:
        return name not in PUBLIC_SSH and not name.endswith((".pub", "config")) and bool(name)
    if whole[:6] == "/proc/" and name == "environ":
        return True
    if name[:9] == "ssh_host_" and name.endswith("_key"):
        return True
    if name.endswith(".json") and ("service-account" in name or "service_account" in name or "adminsdk" in name):
        return True
    return any(place in whole for place in PLACES) or (name == ".npmrc" and is_in_home(whole, name))


def is_secret_folder(path: str) -> bool:
    """Whether a directory of this path is full of secrets: `~/.ssh`, `~/.aws`."""
    whole = path.rstrip("/")
    return (whole if whole[:1] == "/" else "/" + whole).endswith(FOLDERS)


def may_name_secret(text: str) -> bool:
    """Whether a text could name a secret path; a quick look, before anything is read."""
    return any(mark in text for mark in MARKS)


def is_in_home(whole: str, rest: str) -> bool:
    """Whether the path is this one of a home directory: `/~/x`, `/home/ann/x`, `/Users/ann/x`, `/root/x`."""
    return path_in_home(whole) == rest


def path_in_home(whole: str) -> str:
    """The part after the home directory in `/~/x`, `/home/ann/x`, `/Users/ann/x`, `/root/x`; "" elsewhere."""
    parts = whole.split("/", 3)
    if len(parts) > 2 and (parts[1][:1] == "~" or parts[1] == "root"):
        return whole[len(parts[1]) + 2 :]
    return parts[3] if len(parts) > 3 and parts[1] in ("home", "Users") else ""
