import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { FileTrigger } from 'react-aria-components'
import { certificateQuery } from '../../api/certificate.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/problem.tsx'
import { Card, Loading, Screen as Frame } from '../../ui/screen.tsx'
import { NoCompany } from '../certificates/data/no-company.tsx'
import { numberOf } from '../certificates/data/number.ts'
import { useModeOf } from '../certificates/data/use-mode-of.ts'
import { useFileDrop } from '../certificates/list/use-file-drop.ts'
import type { Unreadable } from '../certificates/new/entry.ts'
import { certificateIn, readFile } from '../certificates/new/read-file.ts'
import { useUnreadableWords } from '../certificates/new/unreadable-words.ts'
import { Replace } from '../certificates/one/replace.tsx'
import { type Draft, readDraft } from '../form/drafts.ts'
import { certificateOf } from '../form/json.ts'
import { readFormSearch } from '../form/search.ts'
import './replace.css'

const Review = lazy(async () => ({ default: (await import('./review.tsx')).Review }))

/** `version` is another one for every other text. */
type New = { readonly version: string; readonly text: string }

const written = ({ id, savedAt, certificate }: Draft): New => ({
  version: `${id} ${savedAt}`,
  text: certificateOf(certificate),
})

const form: string = '/new/form'
const one: string = '/certificates/$id'

/** Replaces a certificate by a new one, from the form or a file, once somebody has seen both. */
export const Screen = () => {
  const { membership, session } = useHere()
  const { draft } = readFormSearch(useSearch({ strict: false }))
  if (membership === undefined) return <NoCompany />
  const found = draft === undefined ? undefined : readDraft(draft, session.me.id)
  return <Replacing company={membership.company.id} draft={found} />
}

/** The file that somebody chose or dropped last; why it is no certificate, if it is none. */
const useNewFile = () => {
  const [file, setFile] = useState<New>()
  const [fault, setFault] = useState<Unreadable>()
  const take = async ([first]: readonly File[]): Promise<void> => {
    if (first === undefined) return
    const bytes = await certificateIn(await first.arrayBuffer())
    const { unreadable } = await readFile(bytes)
    setFault(unreadable)
    const text = new TextDecoder().decode(bytes)
    setFile(unreadable === undefined ? { version: crypto.randomUUID(), text } : undefined)
  }
  return { file, fault, take }
}

const Replacing = ({ company, draft }: { readonly company: string; readonly draft: Draft | undefined }) => {
  const t = useTexts('replace')
  const { id = '' } = useParams({ strict: false })
  const { data: former } = useSuspenseQuery(certificateQuery({ company, id }))
  useModeOf(former)
  const { file, fault, take } = useNewFile()
  const isOver = useFileDrop((files) => void take(files))
  const { dropNow } = useTexts('certificates')
  const next = file ?? (draft === undefined ? undefined : written(draft))
  const choose = (
    <FileTrigger
      acceptedFileTypes={['.json', 'application/json', '.pdf', 'application/pdf']}
      onSelect={(list) => void take([...(list ?? [])])}
    >
      <Button>{next === undefined ? t.chooseFile : t.otherFile}</Button>
    </FileTrigger>
  )
  return (
    <Frame title={t.title(numberOf(former))} actions={next === undefined ? undefined : choose}>
      {fault !== undefined && <Fault unreadable={fault} />}
      {former.replacedBy !== undefined && <Replaced successor={former.replacedBy} />}
      {next === undefined ? (
        <Card>
          <p>{t.intro}</p>
          <div className="row">
            <Link to={form} search={{ from: id, replaces: id } as never} className="button primary">
              {t.write}
            </Link>
            {choose}
            <Replace certificate={former} />
          </div>
        </Card>
      ) : (
        <Suspense fallback={<Loading />}>
          <Review
            key={next.version}
            {...{ company, former, next }}
            draft={file === undefined ? draft : undefined}
          />
        </Suspense>
      )}
      {isOver && <div className="drop-cover">{dropNow}</div>}
    </Frame>
  )
}

const Replaced = ({ successor }: { readonly successor: string }) => {
  const t = useTexts('replace')
  return (
    <Notice kind="warn">
      <p>{t.alreadyReplaced}</p>
      <Link to={one} params={{ id: successor }}>
        {t.toSuccessor}
      </Link>
    </Notice>
  )
}

const Fault = ({ unreadable }: { readonly unreadable: Unreadable }) => {
  const words = useUnreadableWords()
  return <Notice kind="warn">{words(unreadable)}</Notice>
}
