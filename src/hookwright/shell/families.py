"""Which programs may run long, and which family knows more. Made by scripts/generate_families.py.

text → [may_be_long: is it worth reading?] → duration.py → [family_of] → programs/<family>.py
One text, not a dict: it comes with every command, and a dict of so many names takes fifty times as long to load.
"""

from __future__ import annotations

INDEX = (
    "|builds: antora autogen.sh autoreconf babel bitbake bootstrap.sh briefcase buf buildozer catkin catkin_make "
    "cibuildwheel cmake colcon configure darwin-rebuild debuild docsify docusaurus doit doxygen "
    "dpkg-buildpackage dx earthly eas electron-builder electron-forge electron-packager eleventy emmake esbuild "
    "fab fastlane flatpak-builder gitbook gmake gomobile goreleaser graphql-codegen grunt gulp home-manager "
    "honkit hugo inv invoke javadoc jekyll jsdoc jupyter-book just kas ko lake latexmk lessc lhci lighthouse "
    "lighthouse-ci lightningcss lualatex make makepkg mdbook melos meson microbundle mint mintlify mkdocs moon "
    "myst ncc ng-packagr ninja nix nix-build nixos-rebuild nuitka nuitka3 openapi-generator-cli pa11y-ci parcel "
    "pdflatex pkgroll plz poe postcss pyinstaller pyproject-build quarto rake redocly release-it rescript rollup "
    "rpmbuild samu sass scons semantic-release setup.py shadow-cljs size-limit snapcraft spago sphinx-autobuild "
    "sphinx-build stylus svelte-package swc tailwindcss task tectonic tinygo tsc tsup tusk typedoc unbuild "
    "vitepress vue-tsc vuepress waf wails webpack xcodebuild xelatex xmake zola "
    "|checks: bandit basedpyright brakeman checkstyle clang-tidy cppcheck depcheck detekt dmypy eslint "
    "golangci-lint gosec hlint knip ktlint madge mypy phpcs phpmd phpstan prospector psalm pylint pyre pyright "
    "pytype rector reek revive rubocop ruff sorbet srb standard staticcheck steep stylelint svelte-check "
    "swiftlint tslint vulture xo "
    "|containers: act apptainer argocd buildah colima crane devcontainer devspace dive docker docker-compose "
    "docker-machine eksctl finch flux garden helm helmfile incus k k3d k3s k9s kind kops kubeadm kubectl lima "
    "limactl lxc minikube multipass nerdctl oc okteto pack podman podman-compose singularity skaffold skopeo "
    "telepresence tilt vagrant velero virsh werf "
    "|databases: aerich alembic atlas bcp clickhouse-client clusterdb cqlsh db-migrate dbmate diesel doctrine "
    "drizzle-kit drush duckdb expdp flyway goose impdp knex liquibase litecli mariadb mariadb-dump "
    "memtier_benchmark migrate mikro-orm mongo mongodump mongoexport mongoimport mongorestore mongosh mycli "
    "mydumper mysql mysqlcheck mysqldump mysqlimport mysqlslap neo4j-admin node-pg-migrate pg_basebackup pg_dump "
    "pg_dumpall pg_restore pg_upgrade pgbench pgcli pgloader phinx piccolo psql redis-benchmark refinery "
    "reindexdb sea-orm-cli sequelize sequelize-cli sqitch sqlcmd sqlite3 sqlmesh sqlplus sqlx tern typeorm usql "
    "vacuumdb wp xtrabackup yoyo "
    "|desktop: Unity alacritty chromium chromium-browser eog evince feh ffplay firefox gimp glxgears "
    "gnome-terminal godot godot4 google-chrome google-chrome-stable kitty konsole love mplayer mpv unity vlc "
    "wireshark xterm zathura "
    "|devices: JLinkGDBServer arduino-cli avrdude bossac dfu-util espflash esptool esptool.py idf.py "
    "nextpnr-ecp5 nextpnr-ice40 openocd picotool pio platformio probe-rs pyocd qemu-system-aarch64 "
    "qemu-system-arm qemu-system-i386 qemu-system-mips qemu-system-ppc64 qemu-system-riscv32 qemu-system-riscv64 "
    "qemu-system-x86_64 quartus_sh renode simavr st-flash st-util teensy_loader_cli verilator vitis_hls vivado "
    "west yosys "
    "|followers: adb atop bashtop bmon bpftrace bpytop btop ctop dbus-monitor dmesg dstat dtruss evtest fping "
    "fs_usage glances gotop gping gpustat gtail htop iftop iostat iotop journalctl kail kubetail lnav log ltrace "
    "mosquitto_sub mpstat mtr multitail nats nethogs ngrep nmon nvidia-smi nvtop perf pidstat ping ping6 "
    "powertop radeontop redis-cli sar slabtop stern strace tail tcpdump top tshark udevadm vmstat websocat wscat "
    "xcrun xev yes "
    "|infra: amplify ansible ansible-galaxy ansible-playbook ansible-pull aws awslocal az azd bq capistrano cdk "
    "cdktf chalice chef-client chef-solo copilot doctl dokku eb firebase fly flyctl func gcloud hcloud heroku "
    "ibmcloud infracost kamal linode-cli mina netlify nixops now oci packer pulumi puppet railway salt salt-call "
    "sam scw serverless sls sst surge terraform terragrunt tofu vercel wrangler zappa "
    "|jobs: 0x 7z 7za 7zz HandBrakeCLI STAR ab accelerate afl-fuzz artillery asprof asv austin autocannon "
    "autotrain axolotl badblocks blastn blastp blender bombardier bowtie2 bsub bwa clamscan clinic colossalai "
    "cromwell cwltool dbt dd ddrescue deepspeed demucs du dvc e2fsck fairseq-generate fairseq-train fastqc "
    "fdupes ffmpeg find fio flink freshclam fsck gatk gatling gatling.sh gfind gmx gtar hadoop handbrakecli hey "
    "hive honggfuzz horovodrun hyperfine jmeter k6 kallisto kedro lightning llamafactory-cli lm-eval lm_eval lmp "
    "locust ludwig luigi matlab mim mpiexec mpirun nextflow nnUNetv2_train ocrmypdf octave oha optuna papermill "
    "promptfoo py-spy pyspark rar rbspy rdfind salloc salmon samply sbatch scrapy siege sitespeed.io snakemake "
    "spacy spark-shell spark-sql spark-submit srun stress stress-ng sysbench tar torch.distributed.launch "
    "torch.distributed.run torchrun tsung tune unlighthouse unzip updatedb vegeta wandb whisper whisperx wrk "
    "wrk2 yolo zenml zip "
    "|jvm: ant bazel bazelisk buck buck2 gradle gradlew grails java javac kotlinc mn mvn mvnd mvnw pants quarkus "
    "scalac spring "
    "|models: abctl adk airbyte alpaca_eval beam beeline bentoml chroma cog comfy cube dask dask-scheduler "
    "dask-worker databricks datahub dstack evalplus.evaluate evidence fastmcp feast great_expectations harlequin "
    "ilab inspect langgraph lerobot letta llama-bench llama-cli llama-finetune llama-perplexity llama-quantize "
    "mcp meltano metaflow mlx_lm.convert mlx_lm.generate mlx_lm.lora mlx_lm.server modal open-webui ploomber "
    "presto pyflyte sglang sky snowsql soda superset trino trl truss vd visidata whisper-cli "
    "|node: bun cli concurrently create-astro create-docusaurus create-electron-vite create-expo-app "
    "create-medusa-app create-next-app create-nuxt-app create-react-app create-react-native-app create-remix "
    "create-solid create-strapi-app create-svelte create-t3-app create-turbo create-vite create-vue degit deno "
    "fnm giget lerna n nci ni node-gyp npm npm-run-all npm-run-all2 nvm nx pnpm run-p run-s rush tiged turbo "
    "volta yarn "
    "|packages: apk apt apt-get aptitude asdf bower brew bundle bundler carthage choco code codium composer "
    "conan cpan cpanm cursor dnf dpkg emerge eopkg flatpak gem ghcup guix luarocks microdnf mise nix-channel "
    "nix-env opam opkg pacman paru pkg pod port pre-commit raco rbenv rebar3 rpm ruby-build rustup rvm scoop sdk "
    "sdkmanager slackpkg snap softwareupdate tdnf tlmgr urpmi vcpkg winget xbps-install yay yum zypper "
    "|python_packages: build conda conda-lock flit hatch mamba micromamba pdm pip pip-compile pip-sync pip2 pip3 "
    "pip3.10 pip3.11 pip3.12 pip3.13 pip3.9 pipenv pipx pixi poetry pyenv rye uv "
    "|scanners: aircrack-ng amass ansible-lint checkov chkrootkit codeql dependency-check detect-secrets dirb "
    "feroxbuster ffuf gitleaks gobuster govulncheck grype hashcat hydra john kics kube-bench kubescape lynis "
    "masscan megalinter nikto nmap nuclei osv-scanner pip-audit polaris rkhunter scan-build semgrep snyk "
    "sonar-scanner sqlmap super-linter syft terrascan tfsec trivy trufflehog wfuzz wpscan zap-baseline.py "
    "|scripts: bash bpython dash erl esno fish ghci groovy guile ipython irb jruby ksh lua luajit node nodejs "
    "ocaml perl pry ptpython pwsh py pypy pypy3 python python2 python3 python3.10 python3.11 python3.12 "
    "python3.13 python3.14 python3.9 racket ruby runghc runhaskell sh swipl tclsh ts-node tsx zsh "
    "|servers: CompileDaemon SimpleHTTPServer Xvfb aim aiohttp.web aiosmtpd air airflow alertmanager anvil "
    "apache2 appium arangod arq artisan azurite beanstalkd bitcoind bokeh bore browser-sync budo buffalo "
    "buildkitd caddy cassandra celery chainlit chisel chokidar chokidar-cli chromedriver circusd clickhouse "
    "clickhouse-server clockwork cloudflared cockroach code-server console consul containerd convex coredns "
    "couchdb dagit dagster dagster-webserver daphne darkhttpd datasette debugpy devd devenv django-admin dnsmasq "
    "docker-registry dockerd dramatiq dynamodb-local elasticsearch elm-live emulator encore entr envoy etcd "
    "fastapi faust filebeat flask flower fluent-bit fluentd foreman forever frankenphp frpc frps fswatch ganache "
    "ganache-cli geckodriver geth gin gitea good_job goreman gotty gow gradio grafana grafana-server granian "
    "guard gunicorn hanami haproxy hass hasura hivemind honcho http-server http.server httpd huey_consumer "
    "huey_consumer.py hupper hypercorn influxd inotifywait inspector iperf iperf3 ipfs jaeger-all-in-one "
    "json-server jupyter jupyter-lab jupyter-notebook jupyterhub jupyterlab kafka-console-consumer "
    "kafka-console-consumer.sh kafka-server-start kafka-server-start.sh kafkacat kcat keydb-server kibana "
    "kubefwd label-studio laravel lighttpd lite-server litellm litestar live-server llama-server lms localstack "
    "localtunnel logstash loki lt luigid maildev mailhog mailpit manage.py mariadbd marimo marp meilisearch "
    "memcached meteor middleman milvus minio miniserve mitmdump mitmproxy mitmweb mlflow mockoon-cli "
    "mod_wsgi-express modd mongod mongos mosquitto moto_server mysqld mysqld_safe n8n nanoc nativescript "
    "nats-server nc ncat neo4j netcat nginx ngrok node-dev node-red node_exporter nodemon nomad notebook ns nsqd "
    "nsqlookupd ollama onchange opensearch otelcol overmind panel passenger php pm2 pm2-runtime pocketbase "
    "postgres prefect prism prisma prometheus promtail pserve pulsar puma pyftpdlib qdrant quart questdb "
    "rabbitmq-server rackup rails rasa ray redis-server reflex rerun resque reth rethinkdb reveal-md robyn rpk "
    "rq rqworker rr sail sanic selenium-server selenium-standalone serve shiny shotgun sidekiq "
    "simple-http-server smee smtp4dev smtpd socat solara squid sshd sshuttle static-web-server streamlit stripe "
    "stripe-mock supabase supervisorctl supervisord surreal symfony syncthing tailscale tailscaled taskiq "
    "telegraf temporal tensorboard tensorboard.main text-generation-launcher textual thin traefik ts-node-dev "
    "tsc-watch tsnd ttyd twistd typesense-server unicorn uvicorn uwsgi valkey-server vapor varnishd vault vector "
    "verdaccio victoria-metrics vllm voila waitress waitress-serve watchexec watchfiles watchman-make watchmedo "
    "weaviate web-dev-server web-ext webpack-dev-server webpack-serve websocketd wgo wiremock wmr wxt x11vnc "
    "zipkin zookeeper-server-start zookeeper-server-start.sh zrok "
    "|terminals: aider alsamixer bc byebug byobu cfdisk cgdb claude codex crontab crush cu cursor-agent dialog "
    "dlv doas dockerize ed emacs emacsclient fdisk fzf gdb gdisk gemini gitui gpg gum helix hx irssi joe jshell "
    "kak lazydocker lazygit less lf lldb micro minicom more mosh most mutt nano ncdu ncmpcpp neomutt newsboat "
    "nmtui nnn nvim opencode openssl parted passwd pdb pico picocom qwen ranger read rust-gdb scala screen sk "
    "ssh ssh-keygen start-server-and-test su sudo telnet tig tmux vi vifm vim vimdiff vipw visudo wait-for "
    "wait-for-it wait-for-it.sh wait-on wait-port wait4x weechat whiptail yazi zellij "
    "|tests: ava backstop bats behat behave busted c8 cargo-mutants cargo-nextest cargo-tarpaulin chromatic "
    "codecept codeceptjs cosmic-ray coverage ctest cucumber cucumber-js cypress detox dredd ginkgo gotestsum "
    "green guard-rspec infection jasmine jest kahlan karma kitchen maestro minitest mocha molecule mutmut newman "
    "nightwatch nose nose2 nosetests nox nyc pabot paratest percy pest phpunit playwright protractor prove ptw "
    "py.test pytest pytest-3 pytest-watch pytest-watcher qunit robot rspec runtests.py stestr stryker tap tape "
    "tarpaulin testcafe testem tox trial unittest uvu vitest ward wdio web-test-runner wtr xctest "
    "|toolchains: R Rscript alr anchor bacon boot cabal cargo cargo-make clj clojure cross crystal dart dfx "
    "dotnet dune elixir elm flutter forge foundryup ghcid gleam go gprbuild hardhat iex julia lein mage maturin "
    "mill mix msbuild nim nimble nuget sbt scala-cli shards solana-test-validator stack swift truffle trunk "
    "tuist wasm-pack xbuild zig "
    "|transfers: aria2c axel azcopy b2 borg croc curl duplicity ftp gallery-dl gdown gsutil hf http https "
    "huggingface-cli kaggle kopia lftp mc megadl modelscope oras rclone restic rsnapshot rsync s3cmd s5cmd scp "
    "sftp transmission-cli twine unison wget wget2 wormhole xh youtube-dl yt-dlp "
    "|vcs: bfg bzr fossil gh git git-filter-repo glab hg hub jj p4 repo svn "
    "|web: astro blitz build-storybook cap cordova craco directus electron electron-vite ember expo gatsby ionic "
    "keystone medusa nest next ng nitro nitropack nuxi nuxt payload preact quasar qwik react-native react-router "
    "react-scripts redwood remix rsbuild rspack rw sanity sb slidev solid-start start-storybook storybook strapi "
    "svelte-kit tauri umi vinxi vite vue vue-cli-service waku wasp "
)
# Behind these a path is a program.
BEFORE = (
    " sudo then do else elif if while until ! . arch ash at bash batch builtin bunx busybox caffeinate catchsegv "
    "chronic chroot chrt command corepack cpulimit cross-env dash dbus-run-session ddtrace-run doas dotenv "
    "dotenv-cli dumb-init eatmydata env env-cmd eval exec fakeroot faketime firejail fish flock gosu gtime "
    "gtimeout heaptrack hyperfine ionice ksh linux32 linux64 ltrace nice nix-shell nocorrect noglob nohup npx "
    "nsenter numactl opentelemetry-instrument parallel pkexec pnpx prlimit proxychains proxychains4 pyinstrument "
    "retry rlwrap runuser screen script setarch setpriv setsid sg sh source ssh stdbuf strace su su-exec systemd- "
    "run taskset time timeout tini tmux torsocks toybox trap unbuffer unshare uvx valgrind watch winpty xargs "
    "xvfb-run zsh "
)
CERTAIN = (
    "|installs packages:,npm install,npm i,npm ci,npm add,pnpm install,pnpm i,pnpm add,yarn install,yarn add"
    ",bun install,bun add,pip install,pip3 install,uv sync,uv add,uv pip install,poetry install,bundle install"
    ",composer install,brew install,brew upgrade,apt install,apt-get install,conda install,conda create,"
    "|updates the package lists:,brew update,apt update,apt-get update,"
    "|compiles:,cargo build,"
    "|builds an image:,docker build,docker compose build,"
    "|downloads a repository:,git clone,"
)
KNOWN: dict[str, str] = {}  # what was looked up already


def family_of(program: str) -> str:
    """The family that knows this program, or ''."""
    family = KNOWN.get(program)
    if family is None:
        family = ""
        at = INDEX.find(" " + program + " ")
        if at > 0 and program and " " not in program and program[-1] != ":":
            start = INDEX.rfind("|", 0, at) + 1
            family = INDEX[start : INDEX.find(":", start)]
        KNOWN[program] = family
    return family


# Words that make a command worth reading besides the programs above: it waits, walks over the whole disk, or runs a
# tool that only its own words tell about.
WAITS = " sleep gsleep while until watch / /* npx bunx pnpx uvx "
# Most calls of git and tail are quick; these words tell the others.
GIT = (
    *("clone", "rebase", "submodule", "lfs", "bisect", "gc", "repack", "fsck", "filter", "svn", "p4", "cvs"),
    *("subtree", "daemon", "web", "gui", "citool", "tool", "--all", "--unshallow", "--recurse", "update", "-p", "-i"),
)
# With one of these a commit opens no editor.
MESSAGES = (" -m", " -am", " -F", " -C", "--message", "--no-edit", "--fixup", "--file", " -sm", " -qm", " -Sm")


LONGEST = 2000  # characters; reading a longer text costs less than searching it


def may_be_long(text: str) -> bool:
    """Whether any word may be a program that runs long; if not, the command need not be read at all."""
    if len(text) > LONGEST or "((" in text:
        return True
    for mark in "\n;&|(":
        if mark in text:
            text = text.replace(mark, " ; ")
    for mark in "\"'`\\$){}<>,@":
        if mark in text:
            text = text.replace(mark, " ")
    words = text.split()
    for word in set(words):
        if word[0] == "-":
            continue
        name = word.rpartition("/")[2] if "/" in word else word
        if "=" in name:
            name = name.rpartition("=")[2]  # an assignment's value may be run later
        spaced = " " + name + " "
        if spaced in INDEX or spaced in WAITS:
            if name == "git":
                if any(hint in text for hint in GIT) or ("commit" in text and not any(m in text for m in MESSAGES)):
                    return True
            elif name and (name != "tail" or follows(text)):
                return True
    return "/" in text and runs_path(words)


def runs_path(words: list[str]) -> bool:
    """Whether a path stands where a program does: at the beginning, behind a wrapper, behind assignments."""
    before = True
    wrapped = False
    for word in words:
        if word == ";":
            before = True
            wrapped = False
        elif word[0] == "-":
            continue
        elif "/" in word and (before or word == "/" or word == "/*"):
            return True
        elif " " + word + " " in BEFORE:
            wrapped = True
        elif before and not wrapped and not word.isdigit():
            name, equals, _ = word.partition("=")
            before = bool(equals) and name.isidentifier()
    return False


def follows(text: str) -> bool:
    """Whether a flag could be tail's -f."""
    return any(word[0] == "-" and ("f" in word or "F" in word or "r" in word) for word in text.split())


# A text with one of these needs a real reading.
HARD = frozenset("\r\0'\"\\$`(){}#~*?[!<")
# Words after which the certain are certain no more.
DOUBT = frozenset(
    (
        "--help --version --dry-run --dryrun --dry_run --usage -help -version --list --list-tests --collect-only "
        "--show-config --print-config --syntax-check --package-lock-only --lockfile-only -h -V -v -s -n "
        "--simulate --just-print --no-act --recon --assumeno --pretend"
    ).split()
)


def glance(text: str) -> str:
    """The evidence for a plain command of which a first look is enough; '' when it has to be read."""
    if not HARD.isdisjoint(text) or "||" in text or "&" in text.replace("&&", "").replace(">&", ""):
        return ""
    text = text.strip().removesuffix(";").replace(" 2>&1", "")
    parts = text.replace("&&", ";").replace("|", ";").replace("\n", ";").split(";")
    for part in parts if all(map(str.strip, parts)) else ():
        words = part.split()
        while words and words[0].partition("=")[0].isidentifier() and "=" in words[0]:
            del words[0]
        if not words:
            return ""
        for count in (2, 3):
            at = CERTAIN.find("," + " ".join(words[:count]) + ",")
            sure = len(words) >= count and ">" not in part and (words[1] != "clone" or ":" in part)
            if at > 0 and sure and DOUBT.isdisjoint(words):
                start = CERTAIN.rfind("|", 0, at) + 1
                call = " ".join(words)
                if len(call) > 60:
                    call = call[:59] + "…"
                return f"`{call}` {CERTAIN[start : CERTAIN.find(':', start)]}"
        spaced = " " + words[0] + " "
        if "/" in words[0] or words[0] in {"sleep", "false"} or spaced in INDEX or spaced in BEFORE:
            return ""
    return ""
