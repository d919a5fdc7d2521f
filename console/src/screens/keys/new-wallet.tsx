import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Form } from '../../ui/form.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Empty, Fold } from '../../ui/screen.tsx'
import type { Shown } from './shown-words.ts'
import { refreshKeys } from './keys-queries.ts'
import { RootFields, type Root, usualRoot } from './root-fields.tsx'

export const NewWallet = ({ onCreated }: { readonly onCreated: (shown: Shown) => void }) => {
  const t = useTexts('keys').wallet
  const { may } = useHere()
  return (
    <Empty title={t.none}>
      <p>{t.noneText}</p>
      {may('createWallet') ? <Creation onCreated={onCreated} /> : <p>{t.askAdmin}</p>}
    </Empty>
  )
}

const Creation = ({ onCreated }: { readonly onCreated: (shown: Shown) => void }) => {
  const t = useTexts('keys').wallet
  const { company, mode } = useHere()
  const queries = useQueryClient()
  const [root, setRoot] = useState<Root>(usualRoot)
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  // The answer contains the words, so it does not go through the cache of mutations.
  const create = async () => {
    setBusy(true)
    setError(undefined)
    try {
      const { language, password } = root
      const options = { language, password: password === '' ? undefined : password }
      const body = { name: t.usualName[mode], options }
      const { id, mnemonic } = await api.createWallet({ company, query: { mode }, body })
      // A repeated answer has no words; the backup shows them.
      if (mnemonic) onCreated({ wallet: id, words: mnemonic, isMarked: false })
      await refreshKeys(queries)
    } catch (cause) {
      setError(cause)
      setBusy(false)
    }
  }
  return (
    <Form action={t.create} isPending={isBusy} onSubmit={() => void create()}>
      <p className="muted">{t.creating}</p>
      <Fold title={t.options}>
        <RootFields root={root} onChange={setRoot} />
      </Fold>
      {error !== undefined && <Problem error={error} title={t.failed} />}
    </Form>
  )
}
