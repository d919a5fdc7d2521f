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

type Props = { readonly identity: Identity }

const tailLength = 6

export const Revoke = ({ identity }: Props) => {
  const t = useTexts('keys').identity
  return (
    <Dialog title={t.revokeTitle} trigger={<Button kind="danger">{t.revoke}</Button>}>
      {(close) => <Fields identity={identity} close={close} />}
    </Dialog>
  )
}

const Fields = ({ identity: { id, did }, close }: Props & { readonly close: () => void }) => {
  const t = useTexts('keys').identity
  const { company, mode } = useHere()
  const queries = useQueryClient()
  const [reason, setReason] = useState('')
  const [since, setSince] = useState('')
  const [typed, setTyped] = useState('')
  const tail = did.slice(-tailLength)
  const revoke = useMutation({
    mutationFn: () =>
      api.revokeIdentity({
        company,
        query: { mode },
        params: { id },
        body: { reason: reason.trim(), since: since === '' ? undefined : new Date(since).toISOString() },
      }),
    onSuccess: async () => {
      await refreshKeys(queries)
      close()
    },
  })
  return (
    <Form
      action={t.revoke}
      kind="danger"
      isPending={revoke.isPending}
      isDisabled={reason.trim() === '' || typed.trim() !== tail}
      onSubmit={() => revoke.mutate()}
      onCancel={close}
    >
      <p>{t.revokeConsequence}</p>
      <TextField label={t.since} type="datetime-local" value={since} onChange={setSince} hint={t.sinceHint} />
      <TextField
        label={t.reason}
        value={reason}
        onChange={setReason}
        hint={t.reasonHint}
        maxLength={500}
        isRequired
      />
      <TextField label={t.typeTail(tail)} value={typed} onChange={setTyped} autoComplete="off" />
      {revoke.error !== null && <Problem error={revoke.error} title={t.revokeFailed} />}
    </Form>
  )
}
