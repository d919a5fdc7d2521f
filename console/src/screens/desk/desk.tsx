import type { InboxEntry } from '@millseal/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { FileTrigger } from 'react-aria-components'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { Button } from '../../ui/button.tsx'
import { FilterChip, Finder, optionsOf } from '../../ui/list/finder.tsx'
import { Nothing } from '../../ui/list/nothing.tsx'
import { Rows, useFound } from '../../ui/list/rows.tsx'
import { SearchInput } from '../../ui/list/search-input.tsx'
import { Table } from '../../ui/list/table.tsx'
import { useNarrowing } from '../../ui/list/use-narrowing.ts'
import { Problem } from '../../ui/problem.tsx'
import { Empty, Screen as Frame } from '../../ui/screen.tsx'
import { Select } from '../../ui/select.tsx'
import { useFileDrop } from '../certificates/list/use-file-drop.ts'
import { AcceptMet } from './accept-met.tsx'
import { Genuine, Meets } from './answers.tsx'
import type { DeskSearch } from './desk-search.ts'
import { countsQuery, entriesQuery, requirementsQuery } from './queries.ts'
import { Tiles } from './tiles.tsx'
import { useFiling } from './use-filing.ts'
import './desk.css'

const nothingYet = { toDecide: 0, doNotAccept: 0, look: 0, meetsEverything: 0, alarms: 0 }
/** Until everything that is shown has its answers. */
const answeringMs = 2_000

/** The certificates that came, with the answers about each, and the decisions about them. */
export const Screen = () => {
  const t = useTexts('desk')
  const here = useHere()
  const search: DeskSearch = useSearch({ strict: false })
  const narrow = useNarrowing<DeskSearch>()
  const [against, setAgainst] = useState<string>()
  const filing = useFiling(against)
  const mayFile = here.may('fileCertificate')
  const isOver = useFileDrop(mayFile ? (files) => void filing.file(files) : undefined)
  const { data: counts = nothingYet } = useQuery(countsQuery(here))
  return (
    <Frame
      title={t.title}
      actions={
        <>
          {mayFile && (
            <FileTrigger allowsMultiple onSelect={(list) => void filing.file([...(list ?? [])])}>
              <Button>{t.addFiles}</Button>
            </FileTrigger>
          )}
          <AcceptMet count={counts.meetsEverything} />
        </>
      }
    >
      <p className="muted">{t.intro}</p>
      {mayFile && <Against value={against} onChange={setAgainst} />}
      <p role="status" className="desk-status">
        {filing.progress !== undefined && t.filing(filing.progress.done, filing.progress.all)}
      </p>
      {filing.failed.map(({ key, name, error }) => (
        <Problem key={key} error={error} title={t.notFiled(name)} />
      ))}
      <Tiles counts={counts} search={search} onChoose={narrow} />
      <Entries search={search} />
      {isOver && <div className="drop-cover">{t.dropNow}</div>}
    </Frame>
  )
}

const automatic = 'automatic'

/** The requirement of files that are dropped now. Nothing is shown while the company has none. */
const Against = ({
  value = automatic,
  onChange,
}: {
  readonly value: string | undefined
  readonly onChange: (name: string | undefined) => void
}) => {
  const t = useTexts('desk')
  const { company } = useHere()
  const { data: kept = [] } = useQuery(requirementsQuery(company))
  if (kept.length === 0) return null
  return (
    <Select
      label={t.fileAgainst}
      options={[{ id: automatic, label: t.noChoice }, ...kept.map(({ id, name }) => ({ id, label: name }))]}
      value={kept.find(({ name }) => name === value)?.id ?? automatic}
      onChange={(chosen) => onChange(kept.find(({ id }) => id === chosen)?.name)}
    />
  )
}

const Entries = ({ search }: { readonly search: DeskSearch }) => {
  const t = useTexts('desk')
  const here = useHere()
  const narrow = useNarrowing<DeskSearch>()
  const list = useInfiniteQuery({
    ...entriesQuery(here, search),
    placeholderData: (previous) => previous,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ rows }) => rows.some(({ advice }) => advice === undefined)) === true
        ? answeringMs
        : false,
  })
  const { text, state, advice } = search
  const isNarrowed = text !== undefined || state !== undefined || advice !== undefined
  const reset = () => narrow({ text: undefined, state: undefined, advice: undefined })
  return (
    <>
      <Finder label={t.search} found={useFound(list)} isNarrowed={isNarrowed} onReset={reset}>
        <SearchInput
          label={t.search}
          hint={t.searchHint}
          value={text ?? ''}
          onChange={(next) => narrow({ text: next })}
        />
        <FilterChip
          label={t.show}
          any={t.anyState}
          value={state === 'all' ? undefined : (state ?? 'new')}
          options={optionsOf(t.shown)}
          onChange={(next) => narrow({ state: next ?? 'all', advice: undefined })}
        />
      </Finder>
      <Rows
        list={list}
        empty={
          <Nothing isNarrowed={isNarrowed} onReset={reset}>
            <Empty title={t.none}>
              <p>{t.noneText}</p>
            </Empty>
          </Nothing>
        }
      >
        {(entries) => <List entries={entries} />}
      </Rows>
    </>
  )
}

const tones = { doNotAccept: 'bad', look: 'warn', meetsEverything: undefined } as const

const List = ({ entries }: { readonly entries: readonly InboxEntry[] }) => {
  const t = useTexts('desk')
  const { time } = useFormats()
  const { certificate, from, order, genuine, meets, came } = t.columns
  return (
    <Table
      label={t.title}
      columns={[certificate, from, order, genuine, meets, came]}
      lines={entries.map((entry) => {
        const { id, summary, fileName, issuer, createdAt, source, state, advice } = entry
        const { identifier, productDescription, sellerName, orderNumber, orderPosition, heats } = summary
        const isOpen = state === 'new' && advice !== undefined
        return {
          id,
          tone: isOpen ? tones[advice] : undefined,
          cells: [
            <span className="desk-line">
              <Link to="/desk/$id" params={{ id }}>
                {identifier ?? fileName ?? t.unnamed}
              </Link>
              <span className="muted">{productDescription}</span>
              {state !== 'new' && <b>{t.shown[state]}</b>}
            </span>,
            sellerName ?? issuer ?? '–',
            <span className="desk-line">
              <span>
                {[orderNumber, orderPosition].filter((part) => part !== undefined).join(' · ') || '–'}
              </span>
              <span className="muted">{heats?.join(', ')}</span>
            </span>,
            <Genuine entry={entry} />,
            <Meets entry={entry} />,
            <span className="desk-line">
              <span>{time(createdAt)}</span>
              <span className="muted">{t.sources[source]}</span>
            </span>,
          ],
        }
      })}
    />
  )
}
