import type { Company } from '@millseal/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { sessionQuery } from '../../api/session.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Card } from '../../ui/screen.tsx'

const lists = ['emails', 'websites', 'accreditations'] as const
type List = (typeof lists)[number]

export const Contacts = ({ company }: { readonly company: Company }) => {
  const t = useTexts('company').lists
  return (
    <Card title={t.title}>
      {lists.map((list) => (
        <Entries key={list} list={list} company={company} />
      ))}
    </Card>
  )
}

const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)
const isUrl = (text: string): boolean => /^https?:\/\/[^\s.]+\.\S+$/.test(text)

/** A list of addresses. Each addition and removal is stored at once. */
const Entries = ({ list, company }: { readonly list: List; readonly company: Company }) => {
  const t = useTexts('company').lists
  const { may } = useHere()
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: (next: string[]) => api.updateCompany({ params: { id: company.id }, body: { [list]: next } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  })
  const entries = company[list]
  const [title, text] = t[list]
  return (
    <section className="contacts" aria-label={title}>
      <h3>{title}</h3>
      {text !== '' && <p className="muted">{text}</p>}
      {entries.length === 0 && <p>{t.none}</p>}
      <ul className="lines">
        {entries.map((entry) => (
          <li key={entry} className="row">
            <span className="breakable">{entry}</span>
            {may('updateCompany') && (
              <Button
                kind="quiet"
                className="end"
                aria-label={t.remove(entry)}
                isDisabled={change.isPending}
                onPress={() => change.mutate(entries.filter((each) => each !== entry))}
              >
                ✕
              </Button>
            )}
          </li>
        ))}
      </ul>
      {may('updateCompany') && (
        <Addition
          list={list}
          isPending={change.isPending}
          onAdd={(entry) => change.mutateAsync([...entries.filter((each) => each !== entry), entry])}
        />
      )}
      {change.error !== null && <Problem error={change.error} title={t.failed} />}
    </section>
  )
}

const Addition = ({
  list,
  isPending,
  onAdd,
}: {
  readonly list: List
  readonly isPending: boolean
  readonly onAdd: (entry: string) => Promise<unknown>
}) => {
  const t = useTexts('company').lists
  const [text, setText] = useState('')
  const [isTried, setTried] = useState(false)
  const isUsable = list === 'emails' ? isEmail(text.trim()) : isUrl(text.trim())
  const add = async () => {
    setTried(true)
    if (!isUsable) return
    await onAdd(text.trim())
    setText('')
    setTried(false)
  }
  const problem = list === 'emails' ? t.badEmail : t.badUrl
  return (
    <Form
      isInline
      action={t.add}
      kind="plain"
      isPending={isPending}
      onSubmit={() => void add().catch(() => {})}
    >
      <TextField
        label={list === 'emails' ? t.newEmail : t.newUrl}
        type={list === 'emails' ? 'email' : 'url'}
        value={text}
        onChange={setText}
        problem={isTried && !isUsable ? problem : undefined}
      />
    </Form>
  )
}
