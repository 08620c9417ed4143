"""Programs that rules look at, in the form that loads quickest: texts, by first letter.

Made by scripts/generate_rules.py from index.py. `name`: whatever follows; `name+`: only with an operand of its row in
TABLES (`a/b`: with both; `-`: an option or nothing); `name?`: only where the text holds one of its HINTS; `name%`: or
one of the SECRETS; `name#`: with any version number.
"""

from __future__ import annotations

NAMES = {
    ".": " .+ ",
    "B": " BROWSER ",
    "C": " Clear-Disk ",
    "E": " EDITOR ",
    "F": " Format-Volume ",
    "G": " GIT_EDITOR GIT_EXTERNAL_DIFF GIT_PAGER GIT_SEQUENCE_EDITOR GIT_SSH_COMMAND ",
    "P": " PAGER PROMPT_COMMAND ",
    "R": " Remove-Item Rscript ",
    "S": " SHELL ",
    "V": " VBoxManage VISUAL ",
    "a": " adb+ adduser alembic alias? amplify anaconda+ ansible ansible-playbook ansible-pull apk apt apt-get aptitude argocd artisan at awk? aws az ",
    "b": " badblocks bash+ bat% batch beeline bfg blkdiscard borg bq brew+ bsdtar btrfs bun+ bw ",
    "c": " cap cargo+ cat% cdk cdktf cf cfdisk changeset+ chattr chgrp chmod chown chpasswd chsh claude clickhouse clickhouse-client cmd cmd.exe cockroach code colima conda+ confluent consul convex copilot cp cqlsh crontab cryptsetup csrutil curl ",
    "d": " dart+ dash+ databricks dbmate dconf dd defaults del del-cli deluser deno+ deploy deploy.sh diesel dig diskpart diskutil django-admin dnf docker+ docker-compose+ docker-machine doctl dokku doppler dotnet+ dpkg drizzle-kit dropdb dropuser drush dscl duckdb ",
    "e": " e2fsck eas eb echo? egrep% eksctl elixir emacs etcdctl eval export? ",
    "f": " fab fastlane fdisk find? firebase firewall-cmd flask+ flatpak flit+ flux fly flyctl flyway format fsck ftp ",
    "g": " gawk? gcloud gdd gdisk gem+ gfind? gh+ gh-pages gh? git+ git-filter-repo glab+ gmake+ gmake? go+ goose goreleaser+ gpasswd gpg gpg# gradle gradlew grep% grm groupadd groupdel groupmod gsed? gsettings gsutil gtar ",
    "h": " halt hasura hatch+ hcloud hdparm head% helm+ heroku hg history? hive hookwright+ hostname hostnamectl http https hub ",
    "i": " ibmcloud ifconfig incus+ influx init insmod install ip ip6tables iptables istioctl ",
    "j": " jj jsr+ julia ",
    "k": " k3d kafka-consumer-groups kafka-delete-records kafka-topics kafka-topics.sh kamal keydb-cli kill killall killall# kind knex kops ksh+ kubectl+ ",
    "l": " launchctl lerna+ less% linode-cli liquibase litecli ln localectl lua luajit lvremove lxc ",
    "m": " mail mailx make+ make? mamba+ manage.py mariadb mawk? mc mdadm migrate minikube mix+ mke2fs mkfs mkfs.btrfs mkfs.ext# mkfs.f2fs mkfs.fat mkfs.ntfs mkfs.vfat mkfs.xfs mkswap modal modprobe mongo mongorestore mongosh more% mount multipass mutt mv mvn mvnw mycli mysql mysqladmin ",
    "n": " nano nc ncat neonctl nerdctl+ netcat netlify networksetup newfs nft nix-env nl% nmcli node+ nodemon nomad np npm+ nuget+ nvim nvme nvram ",
    "o": " oc+ oci od% op openssl+ openstack osascript ovsx+ ",
    "p": " pacman parted paru pass passwd pdm+ perl+ pg_restore pgcli php+ pip#+ pip#? pip+ pip? pipx+ pkill pm# pmset pnpm+ pod+ podman+ podman-compose+ poetry+ port poweroff powershell powershell.exe pre-commit+ printenv? printf? prisma+ pscale psql publish.sh pulumi pvremove pwsh pyenv+ python#+ python+ ",
    "q": " qm ",
    "r": " rabbitmqadmin rabbitmqctl rails railway rake rc-service rclone rd reboot redis-cli release.sh restic rg% rimraf rm rmmod route rpm rsync ruby+ rustup+ ",
    "s": " s3cmd s5cmd sam sbt scp scutil scw secret-tool security sed? semantic-release sendmail sequelize sequelize-cli serverless service setcap setenforce setfacl sfdisk sftp sgdisk sh+ shred shutdown skopeo+ sls snap snowsql socat softwareupdate source+ spark-sql spctl sponge sqlcmd sqlite sqlite# sqlplus sqlx srm ssh ssh-copy-id ssh-keygen strings% stripe su sudo supabase supervisorctl surge svn swapoff sysctl systemctl ",
    "t": " tail% tar tee telinit telnet terraform terragrunt timedatectl tmutil tmux+ tofu touch trino truncate ts-node+ tsx+ tune2fs turso twilio twine+ typeorm ",
    "u": " ufw umount unalias? unlink unset? unzip update-alternatives useradd userdel usermod usql uv+ ",
    "v": " vagrant valkey-cli vault velero vercel vgremove vi vim virsh visudo vsce+ ",
    "w": " watchexec wget wipe wipefs wp wrangler ",
    "x": " xcode-select xfs_repair xh xxd% ",
    "y": " yarn+ yay yum ",
    "z": " zfs zpool zsh+ zypper ",
}
# As often an operand as a program; an operand after one of the subjects.
PLAIN_WORDS = " install service code kind port init deploy pass at mail route ip cap modal security defaults batch migrate surge snap fly copilot wipe halt http https np op dig truncate touch history export alias unset find "
SUBJECTS = " npm pnpm yarn bun pip pip3 uv poetry pdm cargo go git gh docker brew apt apt-get dnf make cmake mvn gradle dotnet cat ls cd grep rg head tail mkdir echo printf wc sort uniq diff jq yq tree pwd which pytest node python python3 ruby tsc eslint prettier ruff mypy vite next jest vitest ps df du file stat sleep "
TABLES = (
    "\n"
    ". <( \n"
    "adb shell \n"
    "anaconda upload \n"
    "bash - <( \n"
    "brew uninstall remove rm autoremove upgrade services \n"
    "bun - publish run/deploy run/release run/publish run/deploy:prod \n"
    "cargo publish release yank owner uninstall \n"
    "changeset publish \n"
    "conda remove uninstall env config \n"
    "dart pub \n"
    "dash - <( \n"
    "deno eval \n"
    "docker rm rmi stop kill run create push buildx system/prune system/reset volume/rm volume/remove volume/prune container/prune image/prune stack/rm service/rm swarm/leave secret/rm compose/down compose/rm compose/push \n"
    "docker-compose down rm \n"
    "dotnet nuget \n"
    "flask db \n"
    "flit publish \n"
    "gem push yank uninstall \n"
    "gh api repo release secret variable workflow ruleset auth/token auth/logout auth/refresh extension label gist cache ssh-key gpg-key codespace mr pr/merge pr/close pr/review run/delete run/cancel issue/close issue/delete issue/transfer \n"
    "git checkout restore switch rm checkout-index read-tree branch tag update-ref worktree remote filter-branch filter-repo reflog gc prune lfs bisect rebase commit config submodule reset clean push stash -c \n"
    "glab api repo release secret variable workflow ruleset auth extension label gist cache ssh-key gpg-key codespace mr pr/merge pr/close pr/review run/delete run/cancel issue/close issue/delete issue/transfer \n"
    "gmake deploy publish \n"
    "go env \n"
    "goreleaser release \n"
    "hatch publish \n"
    "helm uninstall delete upgrade install rollback push \n"
    "hookwright uninstall undo trust questions \n"
    "incus exec \n"
    "jsr publish \n"
    "ksh - <( \n"
    "kubectl delete apply create patch edit replace scale drain cordon uncordon rollout set taint annotate label cp run expose autoscale get \n"
    "lerna publish \n"
    "make deploy publish \n"
    "mamba remove uninstall env config \n"
    "mix ecto.drop ecto.reset ecto.rollback hex.publish \n"
    "nerdctl rm rmi stop kill run create push buildx system/prune system/reset volume/rm volume/remove volume/prune container/prune image/prune stack/rm service/rm swarm/leave secret/rm compose/down compose/rm compose/push \n"
    "node - \n"
    "npm publish unpublish deprecate dist-tag npm token owner access uninstall remove rm un config set run/deploy run/release run/publish run/deploy:prod deploy \n"
    "nuget push \n"
    "oc delete apply create patch edit replace scale drain cordon uncordon rollout set taint annotate label cp run expose autoscale get \n"
    "openssl s_client \n"
    "ovsx publish \n"
    "pdm publish \n"
    "perl - \n"
    "php - artisan bin/console \n"
    "pip uninstall config \n"
    "pip# uninstall config \n"
    "pipx uninstall uninstall-all \n"
    "pnpm publish unpublish deprecate dist-tag npm token owner access uninstall remove rm un config set run/deploy run/release run/publish run/deploy:prod deploy \n"
    "pod trunk \n"
    "podman rm rmi stop kill run create push buildx system/prune system/reset volume/rm volume/remove volume/prune container/prune image/prune stack/rm service/rm swarm/leave secret/rm compose/down compose/rm compose/push \n"
    "podman-compose down rm \n"
    "poetry publish \n"
    "pre-commit uninstall \n"
    "prisma migrate/reset db/push db/execute \n"
    "pyenv global \n"
    "python - <( manage.py setup.py \n"
    "python# - <( manage.py setup.py \n"
    "ruby - \n"
    "rustup self toolchain default \n"
    "sh - <( \n"
    "skopeo copy sync delete \n"
    "source <( \n"
    "tmux kill-server send-keys send \n"
    "ts-node - \n"
    "tsx - \n"
    "twine upload \n"
    "uv publish \n"
    "vsce publish \n"
    "yarn publish unpublish deprecate dist-tag npm token owner access uninstall remove rm un config set run/deploy run/release run/publish run/deploy:prod deploy \n"
    "zsh - <( \n"
)
SECRETS = ".env id_rsa id_dsa id_ec id_ed credential secret .ssh shadow netrc .pgpass .pem .key .aws .kube .gnupg .password .p12 .pfx .jks .keystore .kdbx .ppk .age .azure gcloud .my.cnf .pypirc .boto .s3cfg kubeconfig .docker hosts.yml service-account service_account ssl/private /environ .htpasswd .vault .npmrc SECRET TOKEN PASSW"
HINTS = {
    "alias": "=",
    "awk": "system",
    "echo": "TOKEN SECRET PASSW _KEY APIKEY",
    "export": "PATH= PRELOAD DYLD_INSERT PROMPT_COMMAND BASH_ENV",
    "find": "-delete",
    "gawk": "system",
    "gfind": "-delete",
    "gh": ".env id_rsa id_dsa id_ec id_ed credential secret .ssh shadow netrc .pgpass .pem .key .aws .kube .gnupg .password .p12 .pfx .jks .keystore .kdbx .ppk .age .azure gcloud .my.cnf .pypirc .boto .s3cfg kubeconfig .docker hosts.yml service-account service_account ssl/private /environ .htpasswd .vault .npmrc SECRET TOKEN PASSW _KEY history env declare security pass _history auth token Cookies Login Data",
    "gmake": "SHELL=",
    "gsed": "-i -Ei -ri -ni -si -zi --in-place",
    "history": "-c -d",
    "make": "SHELL=",
    "mawk": "system",
    "pip": "--break-system-packages",
    "pip#": "--break-system-packages",
    "printenv": "TOKEN SECRET PASSW _KEY APIKEY",
    "printf": "TOKEN SECRET PASSW _KEY APIKEY",
    "sed": "-i -Ei -ri -ni -si -zi --in-place",
    "unalias": "-a",
    "unset": "HISTFILE PATH",
}
