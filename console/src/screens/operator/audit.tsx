import type { AuditEntry } from '@millseal/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import type { AuditSearch } from './searches.ts'
import { useLanguage, useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { Button } from '../../ui/button.tsx'
import { ReadingDialog } from '../../ui/reading-dialog.tsx'
import { Facts, Screen as Frame } from '../../ui/screen.tsx'
import { writeCsv } from '../../ui/csv.ts'
import { saveFile } from '../../ui/save-file.ts'
import { AuditFilters } from './audit-filters.tsx'
import { auditQuery } from './audit-query.ts'
import { OperatorsOnly } from './operators-only.tsx'
import { Nothing } from '../../ui/list/nothing.tsx'
import { Rows, useFound } from '../../ui/list/rows.tsx'
import { Table } from '../../ui/list/table.tsx'
import { useNarrowing } from '../../ui/list/use-narrowing.ts'
import { type Names, useNames } from './use-names.ts'

export const Screen = () => (
  <OperatorsOnly>
    <Audit />
  </OperatorsOnly>
)

const Audit = () => {
  const t = useTexts('audit')
  const search: AuditSearch = useSearch({ strict: false })
  const { actor, action, except, subject, of, from, to } = search
  const narrow = useNarrowing<AuditSearch>()
  const list = useInfiniteQuery({
    ...auditQuery({ actor, action, except, subject, of, from, to }),
    placeholderData: (previous) => previous,
  })
  const entries = list.data?.pages.flatMap(({ rows }) => rows) ?? []
  const references = [actor, subject].filter((one) => one !== undefined)
  const names = useNames(entries, { references, company: of })
  const reset = () =>
    narrow({
      actor: undefined,
      action: undefined,
      except: undefined,
      subject: undefined,
      of: undefined,
      from: undefined,
      to: undefined,
    })
  return (
    <Frame title={t.title} actions={<Export entries={entries} names={names} />}>
      <p className="muted">{t.intro}</p>
      <AuditFilters
        search={{ actor, action, except, subject, of, from, to }}
        names={names}
        found={useFound(list)}
        onReset={reset}
      />
      <Rows
        list={list}
        empty={
          <Nothing isNarrowed onReset={reset}>
            {null}
          </Nothing>
        }
      >
        {(rows) => <List entries={rows} names={names} />}
      </Rows>
    </Frame>
  )
}

type Shown = { readonly entries: readonly AuditEntry[]; readonly names: Names }

const List = ({ entries, names }: Shown) => {
  const t = useTexts('audit')
  const { time } = useFormats()
  return (
    <Table
      label={t.table}
      columns={[t.time, t.actor, t.action, t.subject, t.company, t.details]}
      lines={entries.map((entry) => ({
        id: entry.id,
        cells: [
          <span className="whole">{time(entry.at)}</span>,
          <Narrow to={{ actor: entry.actor }} text={names.actor(entry.actor)} />,
          names.action(entry.action),
          <Narrow to={{ subject: entry.subject }} text={names.subject(entry)} />,
          entry.company === undefined ? (
            '–'
          ) : (
            <Narrow to={{ of: entry.company }} text={names.company(entry.company)} />
          ),
          <Details entry={entry} names={names} />,
        ],
      }))}
    />
  )
}

/** A link to the entries with the same value. */
const Narrow = ({ to, text }: { readonly to: AuditSearch; readonly text: string }) => (
  <Link to="/operator/audit" search={(search: object) => ({ ...search, ...to })} activeProps={{}}>
    {text}
  </Link>
)

const Details = ({ entry, names }: { readonly entry: AuditEntry; readonly names: Names }) => {
  const t = useTexts('audit')
  const { time, clock } = useFormats()
  const title = t.detailsOf(names.action(entry.action))
  return (
    <ReadingDialog
      title={title}
      trigger={
        <Button kind="quiet" aria-label={`${t.show}: ${title}, ${clock(entry.at)}`}>
          {t.show}
        </Button>
      }
    >
      <Facts
        facts={[
          [t.time, `${time(entry.at)} (${clock(entry.at)})`],
          [t.actor, `${names.actor(entry.actor)} (${entry.actor})`],
          [t.action, entry.action],
          [t.subject, entry.subject],
          [t.company, entry.company === undefined ? undefined : names.company(entry.company)],
          [t.ip, entry.ipAddress],
        ]}
      />
      <pre className="details" tabIndex={0} aria-label={t.details}>
        {JSON.stringify(entry.details, null, 2)}
      </pre>
    </ReadingDialog>
  )
}

/** Exports the entries on the screen, with names and ids. */
const Export = ({ entries, names }: Shown) => {
  const t = useTexts('audit')
  const language = useLanguage()
  const save = () => {
    const head = [
      t.time,
      t.actor,
      'actor',
      t.action,
      'action',
      t.subject,
      'subject',
      t.company,
      'company',
      t.ip,
      t.details,
    ]
    const lines = entries.map((entry) => [
      entry.at,
      names.actor(entry.actor),
      entry.actor,
      names.action(entry.action),
      entry.action,
      names.subject(entry),
      entry.subject,
      entry.company === undefined ? '' : names.company(entry.company),
      entry.company ?? '',
      entry.ipAddress ?? '',
      JSON.stringify(entry.details),
    ])
    saveFile(`audit-${new Date().toISOString().slice(0, 10)}.csv`, writeCsv([head, ...lines], language))
  }
  return (
    <Button isDisabled={entries.length === 0} onPress={save}>
      {t.export}
    </Button>
  )
}
