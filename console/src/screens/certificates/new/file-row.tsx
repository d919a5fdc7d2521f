import { useUnreadableWords } from './unreadable-words.ts'
import { Link } from '@tanstack/react-router'
import type { Finding } from '../../../api/findings.ts'
import { useTexts } from '../../../texts/catalog.ts'
import { useFormats } from '../../../texts/format.ts'
import { useServerWords } from '../../../texts/server-words.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy.tsx'
import { FindingSentences } from '../../../ui/finding-sentences.tsx'
import { Fold } from '../../../ui/screen.tsx'
import { State, type StateKind } from '../../../ui/state.tsx'
import { addresses } from '../data/addresses.ts'
import type { Entry, Fault, FileState } from './entry.ts'
import { Findings } from './findings.tsx'
import { type Doubtful, NotarizeDoubtful } from './notarize-doubtful.tsx'
import { PaperButton } from './paper-button.tsx'

const kinds: Readonly<Record<FileState, StateKind>> = {
  added: 'wait',
  unreadable: 'bad',
  repeated: 'gone',
  invalid: 'bad',
  valid: 'good',
  doubtful: 'swap',
  queued: 'wait',
  sent: 'wait',
  waiting: 'wait',
  recorded: 'good',
  failed: 'bad',
}

const busyState = (state: Entry['state']) => {
  if (state === 'added') return 'checking'
  return state === 'queued' ? 'sending' : state
}

type Props = {
  readonly entry: Entry
  readonly isBusy: boolean
  /** Absent unless this file alone can be notarized with its findings. */
  readonly onAccept: Doubtful['onAccept'] | undefined
  readonly onAgain: () => void
  readonly onOwn: () => void
  readonly onRemove: () => void
}

/** A file with its state and what to do about it. */
export const FileRow = (props: Props) => {
  const t = useTexts('files')
  const { entry, isBusy } = props
  const { state, name, number } = entry
  return (
    <>
      <div role="cell" className="file">
        <b>{number ?? name}</b>
        {number !== undefined && <span className="muted">{name}</span>}
      </div>
      <div role="cell" className="file-state">
        <State kind={kinds[state]}>{t.fileStates[isBusy ? busyState(state) : state]}</State>
      </div>
      <div role="cell" className="what">
        <What entry={entry} />
      </div>
      <div role="cell" className="acts">
        <Acts {...props} />
      </div>
    </>
  )
}

const Acts = ({ entry, isBusy, onAccept, onAgain, onOwn, onRemove }: Props) => {
  const t = useTexts('files')
  const { state, name, number } = entry
  const about = <span className="hidden-visually">{number ?? name}</span>
  const isRemovable = !isBusy && state !== 'queued' && state !== 'sent'
  return (
    <>
      {entry.certificate !== undefined && (
        <Link to="/certificates/$id" params={{ id: entry.certificate }} className="button">
          {t.open} {about}
        </Link>
      )}
      {(state === 'valid' || state === 'doubtful') && <PaperButton entry={entry} />}
      {onAccept !== undefined && state === 'doubtful' && !isBusy && (
        <NotarizeDoubtful
          doubtful={[entry]}
          onAccept={onAccept}
          label={
            <>
              {t.notarizeThis} {about}
            </>
          }
        />
      )}
      {state === 'failed' && !isBusy && <Button onPress={onAgain}>{t.again}</Button>}
      {entry.isElsewhere === true && entry.bytes !== undefined && !isBusy && (
        <Button onPress={onOwn}>{t.recordOwn}</Button>
      )}
      {isRemovable && (
        <Button kind="quiet" onPress={onRemove} aria-label={t.removeName(name)}>
          ✕
        </Button>
      )}
    </>
  )
}

const What = ({ entry }: { readonly entry: Entry }) => {
  const t = useTexts('files')
  const words = useUnreadableWords()
  const formats = useFormats()
  const { state, unreadable, fault, warnings = [], doubts = [], sameAs } = entry
  if (entry.isElsewhere === true)
    return (
      <p>
        {entry.issuer?.name === undefined
          ? t.elsewhere
          : t.elsewhereBy(entry.issuer.name, formats.date(entry.issuer.time))}{' '}
        {entry.bytes !== undefined && t.ownHint}
      </p>
    )
  if (entry.wasThere === true) return <p className="muted">{t.alreadyThere}</p>
  if (unreadable !== undefined && state === 'unreadable') {
    const { kind } = unreadable
    return (
      <>
        <p>{words(unreadable)}</p>
        {(kind === 'pdf' || kind === 'picture') && <ToForm />}
      </>
    )
  }
  if (state === 'repeated' && sameAs !== undefined) return <p>{t.sameAs(sameAs)}</p>
  if (fault !== undefined) return <FaultOf fault={fault} isOfFile={state === 'invalid'} />
  if (state !== 'valid' && state !== 'doubtful') return null
  return (
    <>
      {entry.addresses?.length === 0 && <p className="amber">{t.noAddress}</p>}
      {state === 'doubtful' && <FindingSentences findings={doubts} />}
      {warnings.length > 0 && (
        <Fold title={t.notes(warnings.length)}>
          <Findings findings={warnings} />
        </Fold>
      )}
    </>
  )
}

const ToForm = () => (
  <p>
    <Link to={addresses.form}>{useTexts('files').fillForm}</Link>
  </p>
)

/** The number of findings to show; the others are folded. */
const shownFindings = 3

/** The kind and version that a schema resembles: `coa 1.0.0`. */
const nearestIn = (findings: readonly Finding[]): string | undefined => {
  const nearest = findings.find(({ because }) => because?.code === 'schema_nearest')
  const [, kind, version] =
    /\/([^/]+)-schemas\/v([^/]+)\//.exec(String(nearest?.because?.values['url'])) ?? []
  return kind === undefined ? undefined : `${kind} ${version}`
}

const FaultOf = ({ fault, isOfFile }: { readonly fault: Fault; readonly isOfFile: boolean }) => {
  const t = useTexts('files')
  const problems = useTexts('problems')
  const common = useTexts('common')
  const inWords = useServerWords()
  const { code, message, reasons, findings = [], requestId } = fault
  const sentence =
    (code === undefined ? undefined : problems[code as keyof typeof problems]) ?? inWords(message, reasons)
  const rest = findings.slice(shownFindings)
  if (findings.some(({ because }) => because?.code === 'schema_unknown_here'))
    return (
      <>
        <p>{t.unknownSchema(nearestIn(findings))}</p>
        <ToForm />
      </>
    )
  return (
    <>
      {code !== 'certificate_invalid' && <p>{sentence}</p>}
      <Findings findings={findings.slice(0, shownFindings)} />
      {rest.length > 0 && (
        <Fold title={t.moreFindings(rest.length)}>
          <Findings findings={rest} />
        </Fold>
      )}
      {isOfFile && <p className="muted">{t.correctAgain}</p>}
      {!isOfFile && requestId !== undefined && (
        <p className="muted">
          {common.requestId} <span className="mono">{requestId}</span>{' '}
          <CopyButton text={requestId} label={common.requestId} />
        </p>
      )}
    </>
  )
}
