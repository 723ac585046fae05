/** Files that hold what an agent should not read for anybody: keys, credentials, password lists, shells' start files. */

const SECRET =
  /(?:^|[/\\~])\.(?:ssh|aws|gnupg|kube|docker|azure|netrc|npmrc|pypirc|pgpass|git-credentials|env(?:\.(?!example|sample|template|dist)\w+)?|bashrc|zshrc|bash_history|zsh_history|bash_profile|profile|cursor|claude|config\/(?:gcloud|gh))(?![\w-])|(?:^|[/\\])(?:id_(?:rsa|dsa|ecdsa|ed25519)|authorized_keys|known_hosts|credentials(?:\.json)?|kubeconfig|shadow|passwd|sudoers|mcp(?:_config)?\.json|claude_desktop_config\.json|wallet\.dat|keystore|secrets?\.(?:json|ya?ml|env|txt)|service[-_]account\.json)$|\.(?:pem|p12|pfx|kdbx|keychain(?:-db)?|ppk|tfstate)$|(?:^|[/\\])(?:keychains[/\\]|cookies\.sqlite|key4\.db|logins\.json|login data)|^contents?_(?:from|of)_|_ssh_(?:id_)?(?:rsa|key)/i;

export function isSecretPath(path: string): boolean {
  return SECRET.test(path);
}
