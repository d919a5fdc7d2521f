import type { Wallet } from '@millseal/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Problem } from '../../ui/problem.tsx'
import { identitiesQuery } from '../certificates/data/identities.ts'
import { refreshKeys } from './keys-queries.ts'
import { RenameDialog } from './rename-dialog.tsx'
import { RootFields, type Root, usualRoot } from './root-fields.tsx'

export const Rename = ({ wallet }: { readonly wallet: Wallet }) => {
  const t = useTexts('keys').wallet
  const { company, mode } = useHere()
  return (
    <RenameDialog
      title={t.rename}
      failed={t.renameFailed}
      name={wallet.name}
      label={t.name}
      shortest={4}
      longest={64}
      save={(name) =>
        api.updateWallet({ company, query: { mode }, params: { id: wallet.id }, body: { name } })
      }
    />
  )
}

type RecoverProps = { readonly wallet: Wallet; readonly onRecovered: (notice: string) => void }

export const Recover = (props: RecoverProps) => {
  const t = useTexts('keys')
  return (
    <Dialog title={t.recover.title} trigger={<Button>{t.wallet.recover}</Button>}>
      {(close) => <Recovery {...props} close={close} />}
    </Dialog>
  )
}

const Recovery = ({ wallet, onRecovered, close }: RecoverProps & { readonly close: () => void }) => {
  const t = useTexts('keys').recover
  const { company, mode } = useHere()
  const queries = useQueryClient()
  const [words, setWords] = useState('')
  const [root, setRoot] = useState<Root>(usualRoot)
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  // Call and answer both contain the words, so neither goes through the cache of mutations.
  const recover = async () => {
    setBusy(true)
    setError(undefined)
    try {
      const { language, password } = root
      const mnemonic = words
        .trim()
        .toLowerCase()
        .split(/\s+/)
        .join(language === 'japanese' ? '\u3000' : ' ')
      const body = { mnemonic, language, password: password || undefined }
      await api.recoverWallet({ company, query: { mode }, params: { id: wallet.id }, body })
      await refreshKeys(queries)
      const identities = await queries.fetchQuery(identitiesQuery({ company, mode }))
      const usable = identities.filter(({ status }) => status !== 'revoked')
      onRecovered(t.done(usable.filter(({ status }) => status === 'valid').length, usable.length))
      close()
    } catch (cause) {
      setError(cause)
      setBusy(false)
    }
  }
  return (
    <Form
      action={t.action}
      kind="danger"
      isPending={isBusy}
      isDisabled={words.trim().split(/\s+/).length < 12}
      onSubmit={() => void recover()}
      onCancel={close}
    >
      <p>{t.text}</p>
      <TextField
        label={t.words}
        value={words}
        onChange={setWords}
        rows={4}
        hint={t.wordsHint}
        autoComplete="off"
        spellCheck="false"
        autoFocus
      />
      <RootFields root={root} onChange={setRoot} />
      {error !== undefined && <Problem error={error} title={t.failed} onRetry={() => void recover()} />}
    </Form>
  )
}
