import type { Wallet } from '@millseal/contract'
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

/** The coin type of the ledger, the only one that identities have. */
const ledgerCoinType = 822
export const longestName = 64
const largestAccount = 2_147_483_647

export const NewIdentity = ({ wallet }: { readonly wallet: Wallet }) => {
  const t = useTexts('keys').identities
  return (
    <Dialog title={t.create} trigger={<Button kind="primary">{t.create}</Button>}>
      {(close) => <Fields wallet={wallet} close={close} />}
    </Dialog>
  )
}

const Fields = ({ wallet, close }: { readonly wallet: Wallet; readonly close: () => void }) => {
  const t = useTexts('keys').identities
  const { company, mode } = useHere()
  const queries = useQueryClient()
  const [text, setText] = useState('0')
  const [name, setName] = useState('')
  const isUsable = /^\d{1,10}$/.test(text.trim()) && Number(text) <= largestAccount
  const create = useMutation({
    mutationFn: () =>
      api.createIdentity({
        company,
        query: { mode },
        body: {
          coinType: ledgerCoinType,
          account: Number(text),
          wallet: wallet.id,
          name: name.trim() || undefined,
        },
      }),
    onSuccess: async () => {
      await refreshKeys(queries)
      close()
    },
  })
  return (
    <Form
      action={t.create}
      isPending={create.isPending}
      isDisabled={!isUsable}
      onSubmit={() => create.mutate()}
      onCancel={close}
    >
      <TextField
        label={t.name}
        value={name}
        onChange={setName}
        maxLength={longestName}
        hint={t.nameHint}
        autoFocus
      />
      <TextField
        label={t.number}
        value={text}
        onChange={setText}
        inputMode="numeric"
        hint={t.numberHint}
        problem={isUsable || text === '' ? undefined : t.numberWrong}
      />
      {create.error !== null && <Problem error={create.error} title={t.failed} />}
    </Form>
  )
}
