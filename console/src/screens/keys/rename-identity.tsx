import type { Identity } from '@millseal/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Problem } from '../../ui/problem.tsx'
import { refreshKeys } from './keys-queries.ts'
import { longestName } from './new-identity.tsx'

type Props = { readonly identity: Identity }

export const RenameIdentity = ({ identity }: Props) => {
  const t = useTexts('keys').identity
  return (
    <Dialog title={t.rename} trigger={<Button>{t.rename}</Button>}>
      {(close) => <Fields identity={identity} close={close} />}
    </Dialog>
  )
}

const Fields = ({ identity, close }: Props & { readonly close: () => void }) => {
  const t = useTexts('keys')
  const common = useTexts('common')
  const { company, mode } = useHere()
  const queries = useQueryClient()
  const [name, setName] = useState(identity.name ?? '')
  const save = useMutation({
    mutationFn: () =>
      api.updateIdentity({
        company,
        query: { mode },
        params: { id: identity.id },
        body: { name: name.trim() === '' ? null : name.trim() },
      }),
    onSuccess: async () => {
      await refreshKeys(queries)
      close()
    },
  })
  return (
    <Form
      action={common.save}
      isPending={save.isPending}
      onSubmit={() => save.mutate()}
      beside={<Button onPress={close}>{common.cancel}</Button>}
    >
      <TextField
        label={t.identities.name}
        value={name}
        onChange={setName}
        maxLength={longestName}
        hint={t.identities.nameHint}
        autoFocus
      />
      {save.error !== null && <Problem error={save.error} title={t.identity.renameFailed} />}
    </Form>
  )
}
