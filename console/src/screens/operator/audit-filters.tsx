import type { AuditSearch } from './searches.ts'
import { useTexts } from '../../texts/catalog.ts'
import { TextField } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { Finder } from '../../ui/list/finder.tsx'
import { useNarrowing } from '../../ui/list/use-narrowing.ts'
import type { Names } from './use-names.ts'

/** The list box treats an empty key as no key. */
const every = 'every'
/** This action makes most of the entries of a busy mill. */
const signing = 'keys.sign'
const unsigned = 'unsigned'

/** The filters of the log, all in the address. */
export const AuditFilters = ({
  search,
  names,
  found,
  onReset,
}: {
  readonly search: AuditSearch
  readonly names: Names
  readonly found: string
  readonly onReset: () => void
}) => {
  const t = useTexts('audit')
  const narrow = useNarrowing<AuditSearch>()
  const { actor, subject, of, from, to } = search
  return (
    <Finder
      label={t.filters}
      found={found}
      isNarrowed={Object.values(search).some((value) => value !== undefined)}
      onReset={onReset}
    >
      <div className="filters">
        <div className="what">
          <ActionFilter search={search} names={names} />
        </div>
        <TextField
          label={t.from}
          type="date"
          value={from ?? ''}
          onChange={(day) => narrow({ from: day || undefined })}
        />
        <TextField
          label={t.to}
          type="date"
          value={to ?? ''}
          onChange={(day) => narrow({ to: day || undefined })}
        />
      </div>
      {(actor ?? subject ?? of) !== undefined && (
        <div className="chips">
          {actor !== undefined && (
            <Removable text={t.onlyActor(names.actor(actor))} onRemove={() => narrow({ actor: undefined })} />
          )}
          {subject !== undefined && (
            <Removable
              text={t.onlySubject(names.subject({ subject, action: '' }))}
              onRemove={() => narrow({ subject: undefined })}
            />
          )}
          {of !== undefined && (
            <Removable text={t.onlyCompany(names.company(of))} onRemove={() => narrow({ of: undefined })} />
          )}
        </div>
      )}
    </Finder>
  )
}

const ActionFilter = ({
  search: { action, except },
  names,
}: {
  readonly search: AuditSearch
  readonly names: Names
}) => {
  const t = useTexts('audit')
  const narrow = useNarrowing<AuditSearch>()
  const known = Object.entries(t.actions).toSorted(([, one], [, other]) => one.localeCompare(other))
  const options = [
    { id: every, label: t.allActions },
    { id: unsigned, label: t.allButSignatures },
    ...known.map(([id, label]) => ({ id, label })),
    ...(action === undefined || t.actions[action] !== undefined
      ? []
      : [{ id: action, label: names.action(action) }]),
  ]
  return (
    <Select
      label={t.action}
      options={options}
      value={action ?? (except === signing ? unsigned : every)}
      onChange={(next) =>
        narrow({
          action: next === every || next === unsigned ? undefined : next,
          except: next === unsigned ? signing : undefined,
        })
      }
    />
  )
}

const Removable = ({ text, onRemove }: { readonly text: string; readonly onRemove: () => void }) => {
  const t = useTexts('audit')
  return (
    <button type="button" className="chip on" aria-label={t.remove(text)} onClick={onRemove}>
      {text} <span aria-hidden="true">×</span>
    </button>
  )
}
