"""Japanese of signatures: who may approve, who did, and what a server refuses."""

from __future__ import annotations

JA = {
    "there is no file {path}, so nobody may approve": "{path} というファイルがないため、誰も承認できません",
    "it is not signed": "署名がありません",
    "its signature is none of ssh": "署名が ssh のものではありません",
    "its key ({key}) is no person's in {path}, or was not valid then": "署名の鍵 ({key}) は {path} にある人のものではないか、その時点で有効ではありません",
    "its signature is broken, its key is revoked, or ssh-keygen cannot be run here": "署名が壊れているか、鍵が失効しているか、ここで ssh-keygen を実行できません",
    "type: git config gpg.format ssh && git config user.signingKey ~/.ssh/id_ed25519.pub (the file of your key)": "次を実行してください: git config gpg.format ssh && git config user.signingKey ~/.ssh/id_ed25519.pub (自分の鍵のファイル)",
    "an approval has to be signed here, and git has no ssh key to sign with; nothing was changed": "ここでは承認に署名が必要ですが、git に署名用の ssh 鍵が設定されていません。何も変更していません",
    "git could not sign this approval: {reason}; nothing was changed": "git がこの承認に署名できませんでした: {reason}。何も変更していません",
    "this approval does not count: {fault}; nothing was changed": "この承認は認められません: {fault}。何も変更していません",
    "changes settings that guard memories": "メモリーを守る設定を変えています",
    "changes who may approve": "承認できる人を変えています",
    "lets in a new memory": "新しいメモリーを入れています",
    "brings back a retracted memory": "撤回したメモリーを戻しています",
    "changes an active memory": "有効なメモリーを変えています",
    "lets in a candidate": "候補を入れています",
    "takes a RETRACTS: line out": "RETRACTS: 行を取り除いています",
    "commit {commit} {what}, and it approves nothing: {fault}": "コミット {commit} は{what}が、承認になりません: {fault}",
    "a person listed in {path} lets it in by a commit they sign: git merge --no-ff -S BRANCH, or memtools approve of a candidate": "{path} にある人が、署名したコミットで入れてください: git merge --no-ff -S BRANCH、候補なら memtools approve",
    "this change sets who may approve; it was judged by the file before it": "この変更は承認できる人を変えます。判定は変更前のファイルで行いました",
    "approvals need no signature here": "ここでは承認に署名は要りません",
    "not approved: {what}": "承認されていません: {what}",
    "listed persons signed what was approved": "承認されたものには、一覧にある人の署名があります",
    "and {count} more findings": "ほか {count} 件",
    "a protected branch is not deleted by a push": "保護されたブランチはプッシュでは削除できません",
    "a protected branch only grows: this push would take commits out of it": "保護されたブランチは増える一方です。このプッシュはコミットを取り除きます",
    "push a commit that undoes it; who runs the server can change the branch there": "取り消すコミットをプッシュしてください。サーバーの管理者ならその場でブランチを変えられます",
    "read its diff, line by line": "差分を一行ずつ読んでください",
    "nobody listed in {path} signed this commit: a protected branch takes it by a merge that one of them signs": "{path} にある人がこのコミットに署名していません。保護されたブランチには、その一人が署名したマージで入ります",
}
