"""Which paths hold secrets, which only look like it, and which texts hold a key that looks live."""

import pytest

from hookwright.hooks.command_guard import live_keys, secret_paths
from hookwright.hooks.command_guard.live_keys import find_live_key
from hookwright.hooks.command_guard.secret_paths import is_secret_folder, is_secret_path, may_name_secret

SECRET = """
.env .env.local .env.production apps/web/.env ~/.env prod.env config/staging.env .envrc .env.keys .env.backup
~/.ssh/id_rsa ~/.ssh/id_ed25519 ~/.ssh/work_key /home/ann/.ssh/deploy /root/.ssh/id_ecdsa id_rsa
~/.aws/credentials ~/.aws/sso/cache/4f.json ~/.kube/config kubeconfig prod.kubeconfig ~/.docker/config.json
~/.netrc ~/.pgpass ~/.my.cnf ~/.npmrc ~/.pypirc ~/.git-credentials ~/.config/gh/hosts.yml
~/.config/gcloud/application_default_credentials.json ~/.azure/accessTokens.json ~/.gnupg/private-keys-v1.d/a
~/.password-store/mail.gpg ~/.cargo/credentials.toml ~/.terraform.d/credentials.tfrc.json ~/.vault-token
server.key key.pem tls/private.pem keystore.jks vault.kdbx cert.p12 AuthKey_X.p8 config/master.key
credentials.json client_secret.json secrets.yml secrets.tfvars firebase-adminsdk-x.json my-service-account.json
/etc/shadow /proc/self/environ /proc/1/environ /etc/ssl/private/a /etc/ssh/ssh_host_rsa_key /run/secrets/db_password
~/.claude/.credentials.json ~/.codex/auth.json ~/.cache/huggingface/token ~/.m2/settings.xml
"""

NOT_SECRET = """
.env.example .env.sample .env.template .env.dist .env.ports .env.test .env.ci .envrc.example .env.local.example
example.env sample.env .env.schema .env.vault env.d.ts src/env.ts .environment environment.yml
~/.ssh/id_rsa.pub ~/.ssh/known_hosts ~/.ssh/config ~/.ssh/authorized_keys deploy.pub
cert.pem fullchain.pem ca.pem ca-bundle.pem chain.pem public.pem pubkey.pem public.key server.crt cacert.pem
~/.aws/config ~/.kube/cache/x .npmrc package.json docker-compose.yml secrets.py src/secrets.ts credentials.ts
tests/test_credentials.py docs/secrets.md keys.py keyboard.ts monkey.json /etc/passwd /etc/hosts /proc/cpuinfo
src/password_reset.py README.md tokens.css tokenizer.json config/credentials.yml.enc /etc/ssh/ssh_host_rsa_key.pub
"""


@pytest.mark.parametrize("path", SECRET.split())
def test_a_file_with_secrets_is_known_by_its_name(path):
    assert is_secret_path(path)
    assert may_name_secret(path)


@pytest.mark.parametrize("path", NOT_SECRET.split())
def test_samples_public_keys_and_source_code_are_no_secrets(path):
    assert not is_secret_path(path)


def test_every_name_and_place_of_the_list_has_a_mark_that_is_looked_for():
    listed = [
        *secret_paths.NAMES,
        *secret_paths.PLACES,
        *secret_paths.FOLDERS,
        *(f"x{end}" for end in secret_paths.ENDS),
    ]
    assert [path for path in listed if not may_name_secret(path)] == []


@pytest.mark.parametrize(
    ("path", "full"),
    [("~/.ssh", True), ("/home/ann/.aws/", True), (".ssh", True), ("~/.ssh/config", False), ("src", False)],
)
def test_a_directory_full_of_secrets_is_known_by_its_name(path, full):
    assert is_secret_folder(path) == full


BODY = "9fQ2rT7xLm3Vb8Kc1Zw5Np6Hs4Jd0Gy2Ra7Ue"  # made up: no issuer gave it out
PEM = "\n".join([BODY + BODY] * 4)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"GH=ghp_{BODY}", "a GitHub token"),
        (f'key: "sk_live_{BODY}"', "a live Stripe key"),
        (f"OPENAI_API_KEY=sk-proj-{BODY}", "an API key"),
        (f"x = 'sk-ant-api03-{BODY}'", "an Anthropic key"),
        ("AWS_ACCESS_KEY_ID=AKIAQ7RT2XLM8VB1KCZW", "an AWS key"),
        (f"xoxb-{BODY}", "a Slack token"),
        (f"-----BEGIN RSA PRIVATE KEY-----\n{PEM}\n-----END RSA PRIVATE KEY-----", "a private key"),
        ("AKIAIOSFODNN7EXAMPLE", ""),
        ("ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", ""),
        ("ghp_aaaaaaaaaaaaaaaaaaaa1111111111111111", ""),
        (f"sk_test_{BODY}", ""),
        ("sk-your-key-here-1234567890abcdef", ""),
        ("-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----", ""),
        (f"-----BEGIN CERTIFICATE-----\n{PEM}\n-----END CERTIFICATE-----", ""),
        ("task-1234 and desk-lamp", ""),
        ("", ""),
    ],
)
def test_a_key_that_looks_live_is_named_and_a_sample_is_not(text, found):
    assert find_live_key(text) == found


def test_every_mark_of_a_live_key_is_one_that_the_redactor_knows():
    known = [mark for mark in live_keys.MARKS if mark != "PRIVATE KEY-----"]
    assert [mark for mark in known if not find_live_key(mark + BODY + BODY[::-1])] == []
