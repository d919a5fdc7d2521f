import type { Company, CompanyLook } from '@millseal/contract'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { familiesQuery } from '../../api/families.ts'
import type { CompanySearch } from './search.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { Form } from '../../ui/form.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Card } from '../../ui/screen.tsx'
import { type Draft, toDraft, toSettings } from './look-draft.ts'
import { LookForm } from './look-form.tsx'
import { looksQuery } from './looks-query.ts'
import { Preview } from './look-preview.tsx'
import { Logo } from './logo.tsx'

const all = ''

export const Looks = ({ company }: { readonly company: Company }) => {
  const t = useTexts('company').looks
  const { receiver = all }: CompanySearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery(looksQuery(company.id))
  const choose = (next: string) =>
    void navigate({
      to: '/company',
      search: (search: object) => ({ ...search, receiver: next === all ? undefined : next }),
    })
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />
  if (data === undefined) return null
  const known = data.flatMap((look) => look.receiver ?? [])
  const receivers = receiver === all || known.includes(receiver) ? known : [...known, receiver]
  const stored = data.find((look) => (look.receiver ?? all) === receiver)
  return (
    <>
      <p className="muted">{t.intro}</p>
      <div className="row bottom">
        <Select
          label={t.for}
          options={[{ id: all, label: t.all }, ...receivers.map((id) => ({ id, label: id }))]}
          value={receiver}
          onChange={choose}
        />
        <NewReceiver onChoose={choose} />
      </div>
      <Editor
        key={receiver}
        company={company}
        receiver={receiver === all ? undefined : receiver}
        stored={stored}
      />
    </>
  )
}

const Editor = ({
  company,
  receiver,
  stored,
}: {
  readonly company: Company
  readonly receiver: string | undefined
  readonly stored: CompanyLook | undefined
}) => {
  const t = useTexts('company').looks
  const { may } = useHere()
  const [draft, setDraft] = useState<Draft>(() => toDraft(stored ?? {}))
  const { data: families } = useSuspenseQuery(familiesQuery)
  const [name, setName] = useState<string>()
  const family = families.find((each) => each.name === name) ?? families[0]
  const settings = toSettings(draft)
  if (family === undefined) return null
  return (
    <div className="split">
      <div className="stack">
        {!may('updateLook') && <p>{t.readOnly}</p>}
        {receiver !== undefined && <p className="muted">{t.inherits}</p>}
        {may('updateLook') && (
          <>
            <Card title={t.logo}>
              <Logo company={company.id} receiver={receiver} stored={stored?.logo} />
            </Card>
            <LookForm
              company={company.id}
              receiver={receiver}
              isStored={stored !== undefined}
              draft={draft}
              onChange={setDraft}
              family={family}
            />
          </>
        )}
      </div>
      <Preview
        company={company.id}
        receiver={receiver}
        settings={settings}
        logo={stored?.logo?.bytes}
        family={family}
        onFamily={setName}
      />
    </div>
  )
}

const isReceiver = (text: string): boolean =>
  /^[A-Z]{2}[A-Z0-9 ]{2,18}$/i.test(text) || /^\S+\.\S+$/.test(text)

const NewReceiver = ({ onChoose }: { readonly onChoose: (receiver: string) => void }) => {
  const t = useTexts('company').looks
  const { may } = useHere()
  const [text, setText] = useState('')
  const receiver = text.trim()
  if (!may('updateLook')) return null
  return (
    <Dialog title={t.receiverTitle} trigger={<Button>{t.addReceiver}</Button>}>
      {(close) => (
        <Form
          action={t.continue}
          onCancel={close}
          isDisabled={!isReceiver(receiver)}
          onSubmit={() => {
            const isDomain = receiver.includes('.')
            onChoose(isDomain ? receiver.toLowerCase() : receiver.replaceAll(' ', '').toUpperCase())
            close()
          }}
        >
          <TextField
            label={t.receiver}
            value={text}
            onChange={setText}
            hint={t.receiverHint}
            problem={receiver.length > 3 && !isReceiver(receiver) ? t.receiverWrong : undefined}
            autoFocus
          />
        </Form>
      )}
    </Dialog>
  )
}
