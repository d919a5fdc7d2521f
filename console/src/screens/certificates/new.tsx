import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Notice, Problem } from '../../ui/problem.tsx'
import { Empty, Screen as Frame } from '../../ui/screen.tsx'
import { identitiesQuery } from './data/identities.ts'
import { NoCompany } from './data/no-company.tsx'
import { useFileDrop } from './list/use-file-drop.ts'
import { AddFiles } from './new/add-files.tsx'
import { FileTable } from './new/file-table.tsx'
import { entriesIn, type GroupName, groupNames } from './new/groups.ts'
import './new/new.css'
import { Progress } from './new/progress.tsx'
import { type OpenFiles, useFiles } from './new/use-files.ts'

// Nothing can be signed before the first file is checked.
const SignWith = lazy(async () => ({ default: (await import('./new/sign-with.tsx')).SignWith }))

/** New certificates from files: all are checked first, and notarized when the person says so. */
export const Screen = () => {
  const t = useTexts('files')
  const { membership, may } = useHere()
  if (membership === undefined) return <NoCompany />
  if (!may('notarizeCertificate'))
    return (
      <Frame title={t.title}>
        <Empty title={t.mayNotTitle}>
          <p>{t.mayNotText}</p>
        </Empty>
      </Frame>
    )
  return <New />
}

const New = () => {
  const t = useTexts('files')
  const { dropNow } = useTexts('certificates')
  const files = useFiles()
  const [isNothing, setNothing] = useState(false)
  const add = (dropped: readonly File[]) => {
    setNothing(dropped.length === 0)
    void files.add(dropped)
  }
  const isOver = useFileDrop(add)
  return (
    <Frame title={t.title}>
      <p className="muted">{t.newIntro}</p>
      <AddFiles
        onFiles={add}
        onText={(name, text) => void files.files.add([{ name, content: new Blob([text]) }])}
      />
      {isNothing && <Notice kind="warn">{t.noFiles}</Notice>}
      {files.isForgetful && <Notice kind="warn">{t.storageFailed}</Notice>}
      {files.entries.length > 0 && <Work files={files} />}
      {isOver && <div className="drop-cover">{dropNow}</div>}
    </Frame>
  )
}

const Work = ({ files: { entries, busy, files, ...state } }: { readonly files: OpenFiles }) => {
  const [group, setGroup] = useState<GroupName>('all')
  const valid = entriesIn('valid', entries)
  const doubtful = entriesIn('doubtful', entries)
  const failed = entriesIn('failed', entries).filter(({ isElsewhere }) => isElsewhere !== true)
  const shown = entriesIn(group, entries)
  const signing = useSigning()
  const notarize = async (chosen: typeof entries, isAccepted = false) => {
    const { identity } = signing
    const ids = chosen.map(({ id }) => id)
    if (identity !== undefined) await files.notarize(ids, identity.id, isAccepted)
  }
  const accept = (accepted: typeof entries) => notarize(accepted, true)
  return (
    <>
      {signing.error !== null && <Problem error={signing.error} />}
      {signing.isKnown && valid.length + doubtful.length > 0 && (
        <Suspense>
          <SignWith
            {...signing}
            valid={valid}
            doubtful={doubtful}
            onNotarize={() => void notarize(valid)}
            onAccept={accept}
          />
        </Suspense>
      )}
      <Standing {...state} entries={entries} />
      <div className="row">
        <Groups entries={entries} group={shown.length === 0 ? 'all' : group} onGroup={setGroup} />
        <Tidy entries={entries} failed={failed.map(({ id }) => id)} files={files} />
      </div>
      <FileTable
        entries={shown.length === 0 ? entries : shown}
        busy={busy}
        onAccept={signing.identity === undefined || doubtful.length === 1 ? undefined : accept}
        onAgain={(id) => void files.again([id])}
        onOwn={(id) => void files.recordOwn(id)}
        onRemove={(id) => void files.remove([id])}
      />
    </>
  )
}

const lastIdentity = 'millseal.identity'

/** The identities that can sign, and the last one used. */
const useSigning = () => {
  const { company, mode } = useHere()
  const key = `${lastIdentity}.${company}.${mode}`
  const [chosen, setChosen] = useState(() => localStorage.getItem(key))
  const { data, error } = useQuery(identitiesQuery({ company, mode }))
  const identities = (data ?? []).filter(({ status }) => status === 'valid')
  const identity =
    identities.find(({ id }) => id === chosen) ?? identities.find(({ isPublic }) => isPublic) ?? identities[0]
  const onIdentity = (id: string) => {
    localStorage.setItem(key, id)
    setChosen(id)
  }
  return { identities, identity, onIdentity, error, isKnown: data !== undefined }
}

/** The progress of the work, and the reason if it waits. */
const Standing = ({
  entries,
  pause,
  isWorking,
  isLoaded,
}: Omit<OpenFiles, 'busy' | 'add' | 'files' | 'isForgetful'>) => {
  const t = useTexts('files')
  const isOpen = entries.some(({ state }) => state === 'added' || state === 'queued' || state === 'sent')
  const recorded = entriesIn('recorded', entries).length
  const pauses = {
    away: t.pausedAway,
    'signed-out': t.pausedSignedOut,
    limit: t.pausedLimit(pause?.seconds ?? 0),
  }
  return (
    <div className="stack">
      <Progress entries={entries} />
      <div role="status">
        {pause !== undefined && isOpen && <p>{pauses[pause.why]}</p>}
        {isOpen && pause === undefined && (
          <p className="muted">{isWorking || !isLoaded ? t.mayClose : t.otherTab}</p>
        )}
        {!isOpen && recorded > 0 && <p>{t.allRecorded(recorded)}</p>}
      </div>
    </div>
  )
}

const Groups = ({
  entries,
  group,
  onGroup,
}: {
  readonly entries: OpenFiles['entries']
  readonly group: GroupName
  readonly onGroup: (group: GroupName) => void
}) => {
  const t = useTexts('files')
  return (
    <div className="chips" role="group" aria-label={t.fileColumns.state}>
      {groupNames.map((name) => {
        const { length } = entriesIn(name, entries)
        return length === 0 ? null : (
          <button
            key={name}
            type="button"
            className="chip"
            aria-pressed={name === group}
            onClick={() => onGroup(name)}
          >
            {t.groups[name]} {length}
          </button>
        )
      })}
    </div>
  )
}

const Tidy = ({
  entries,
  failed,
  files,
}: {
  readonly entries: OpenFiles['entries']
  readonly failed: readonly string[]
  readonly files: OpenFiles['files']
}) => {
  const t = useTexts('files')
  const recorded = entriesIn('recorded', entries).map(({ id }) => id)
  return (
    <span className="end row">
      {failed.length > 0 && (
        <Button onPress={() => void files.again(failed)}>{t.allAgain(failed.length)}</Button>
      )}
      {recorded.length > 0 && (
        <Button kind="quiet" onPress={() => void files.remove(recorded)}>
          {t.removeRecorded}
        </Button>
      )}
      <Confirm
        trigger={<Button kind="quiet">{t.removeAll}</Button>}
        title={t.removeAllTitle}
        consequence={t.removeAllConsequence}
        action={t.removeAll}
        onConfirm={() => files.remove(entries.map(({ id }) => id))}
      />
    </span>
  )
}
