import type { Identity } from '@millseal/contract'
import { api } from '../../api/client.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { longestName } from './new-identity.tsx'
import { RenameDialog } from './rename-dialog.tsx'

export const RenameIdentity = ({ identity }: { readonly identity: Identity }) => {
  const t = useTexts('keys')
  const { company, mode } = useHere()
  return (
    <RenameDialog
      title={t.identity.rename}
      failed={t.identity.renameFailed}
      name={identity.name ?? ''}
      label={t.identities.name}
      hint={t.identities.nameHint}
      shortest={0}
      longest={longestName}
      save={(name) =>
        api.updateIdentity({
          company,
          query: { mode },
          params: { id: identity.id },
          body: { name: name === '' ? null : name },
        })
      }
    />
  )
}
