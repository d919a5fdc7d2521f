import type { CertificateCheck } from '@millseal/contract'
import { useState } from 'react'
import { FileTrigger } from 'react-aria-components'
import { api } from '../../api/client.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Card, Fold } from '../../ui/screen.tsx'
import { State } from '../../ui/state.tsx'
import { useFileDrop } from '../certificates/list/use-file-drop.ts'
import { certificateIn, readFile } from '../certificates/new/read-file.ts'
import { useUnreadableWords } from '../certificates/new/unreadable-words.ts'
import type { Unreadable } from '../certificates/new/entry.ts'
import { CheckResult, VerdictState } from './check-result.tsx'
import { type Draft, requirementOf } from './draft.ts'
import { Refused } from './refused.tsx'

type Checked = { readonly key: number; readonly name: string } & (
  | { readonly state: 'running' }
  | { readonly state: 'checked'; readonly check: CertificateCheck }
  | { readonly state: 'unreadable'; readonly unreadable: Unreadable }
  | { readonly state: 'failed'; readonly error: unknown }
)

/** Certificates from files against what is typed, also before it is saved. Nothing is stored. */
export const CheckFiles = ({ draft }: { readonly draft: Draft }) => {
  const t = useTexts('requirements')
  const { dropNow } = useTexts('certificates')
  const { checked, add } = useChecks(draft)
  const isOver = useFileDrop((files) => void add(files))
  return (
    <Card
      title={t.tryIt}
      actions={
        <FileTrigger
          allowsMultiple
          acceptedFileTypes={['.json', 'application/json', '.pdf', 'application/pdf']}
          onSelect={(list) => void add([...(list ?? [])])}
        >
          <Button>{t.chooseFiles}</Button>
        </FileTrigger>
      }
    >
      <p className="muted">{t.tryItText}</p>
      {checked.map((one) => (
        <Line key={one.key} checked={one} rows={draft.rows.length} />
      ))}
      {isOver && <div className="drop-cover">{dropNow}</div>}
    </Card>
  )
}

let lastKey = 0

const useChecks = (draft: Draft) => {
  const { company } = useHere()
  const [checked, setChecked] = useState<readonly Checked[]>([])
  const settle = (next: Checked): void =>
    setChecked((all) => all.map((one) => (one.key === next.key ? next : one)))
  const check = async (key: number, file: File): Promise<Checked> => {
    const named = { key, name: file.name }
    try {
      const bytes = await certificateIn(await file.arrayBuffer())
      const read = await readFile(bytes)
      if (read.unreadable !== undefined) return { ...named, state: 'unreadable', unreadable: read.unreadable }
      const certificate = new TextDecoder().decode(bytes)
      const body = { certificate, requirement: requirementOf(draft) }
      return { ...named, state: 'checked', check: await api.checkCertificate({ company, body }) }
    } catch (error) {
      return { ...named, state: 'failed', error }
    }
  }
  const add = async (files: readonly File[]): Promise<void> => {
    const begun = files.map((file) => ({ key: ++lastKey, file }))
    const running = begun.map(({ key, file }) => ({ key, name: file.name, state: 'running' as const }))
    setChecked((all) => [...running, ...all])
    for (const { key, file } of begun) settle(await check(key, file))
  }
  return { checked, add }
}

const Line = ({ checked, rows }: { readonly checked: Checked; readonly rows: number }) => {
  const t = useTexts('requirements')
  const inWords = useUnreadableWords()
  if (checked.state === 'checked')
    return (
      <Fold
        title={
          <>
            {checked.name} <VerdictState verdict={checked.check.verdict} />
          </>
        }
      >
        <CheckResult check={checked.check} />
      </Fold>
    )
  return (
    <div role="status">
      <p>
        {checked.name}{' '}
        <State kind={checked.state === 'running' ? 'wait' : 'bad'}>{t.states[checked.state]}</State>
      </p>
      {checked.state === 'unreadable' && <p>{inWords(checked.unreadable)}</p>}
      {checked.state === 'failed' && <Failed error={checked.error} rows={rows} />}
    </div>
  )
}

const Failed = ({ error, rows }: { readonly error: unknown; readonly rows: number }) =>
  error instanceof SyntaxError ? <Refused error={error} rows={rows} /> : <Problem error={error} />
