import type { EventRecord } from '@millseal/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { FilterChip, Finder, optionsOf } from '../../ui/list/finder.tsx'
import { Nothing } from '../../ui/list/nothing.tsx'
import { Rows, useFound } from '../../ui/list/rows.tsx'
import { SearchInput } from '../../ui/list/search-input.tsx'
import { Table } from '../../ui/list/table.tsx'
import { useNarrowing } from '../../ui/list/use-narrowing.ts'
import { Card } from '../../ui/screen.tsx'
import type { DeliveriesSearch } from './deliveries-search.ts'
import { ReadDelivery, ResendDelivery, Result, useEventWords } from './delivery.tsx'
import { deliveriesQuery } from './queries.ts'
import { ResendAll } from './resend-all.tsx'

/** Deliveries to a webhook and their results, newest first. */
export const Deliveries = ({ hook }: { readonly hook: string }) => {
  const t = useTexts('webhooks')
  const { company } = useHere()
  const { text, outcome, event }: DeliveriesSearch = useSearch({ strict: false })
  const narrow = useNarrowing<DeliveriesSearch>()
  const list = useInfiniteQuery({
    ...deliveriesQuery({ company, hook, text, outcome, event }),
    placeholderData: (previous) => previous,
  })
  const isNarrowed = text !== undefined || outcome !== undefined || event !== undefined
  const reset = () => narrow({ text: undefined, outcome: undefined, event: undefined })
  const found = useFound(list)
  const isUnused = !isNarrowed && list.data?.pages[0]?.rows.length === 0
  return (
    <Card title={t.deliveries}>
      <ResendAll hook={hook} />
      {!isUnused && (
        <Finder label={t.search} found={found} isNarrowed={isNarrowed} onReset={reset}>
          <SearchInput
            label={t.search}
            hint={t.searchHint}
            value={text ?? ''}
            onChange={(next) => narrow({ text: next })}
          />
          <FilterChip
            label={t.state}
            any={t.anyOutcome}
            options={optionsOf(t.outcomes)}
            value={outcome}
            onChange={(next) => narrow({ outcome: next })}
          />
          <FilterChip
            label={t.event}
            any={t.anyEvent}
            options={optionsOf(t.events)}
            value={event}
            onChange={(next) => narrow({ event: next })}
          />
        </Finder>
      )}
      <Rows
        list={list}
        empty={
          <Nothing isNarrowed={isNarrowed} onReset={reset}>
            <p>{t.noDeliveries}</p>
          </Nothing>
        }
      >
        {(events) => <List events={events} />}
      </Rows>
    </Card>
  )
}

const List = ({ events }: { readonly events: readonly EventRecord[] }) => {
  const t = useTexts('webhooks')
  const { time } = useFormats()
  const wordsOf = useEventWords()
  return (
    <Table
      label={t.deliveries}
      columns={[t.event, t.about, t.time, t.state, t.action]}
      lines={events.map((event) => ({
        id: event.id,
        cells: [
          <b>{wordsOf(event)}</b>,
          event.about ?? '–',
          event.createdAt === undefined ? '–' : <span className="whole">{time(event.createdAt)}</span>,
          <Result event={event} />,
          <span className="row">
            <ReadDelivery event={event} />
            <ResendDelivery event={event} />
          </span>,
        ],
      }))}
    />
  )
}
