import type { Company } from '@millseal/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import type { CompaniesSearch } from './searches.ts'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { Empty, Screen as Frame } from '../../ui/screen.tsx'
import { State } from '../../ui/state.tsx'
import { FilterChip, Finder, optionsOf } from '../../ui/list/finder.tsx'
import { Nothing } from '../../ui/list/nothing.tsx'
import { OperatorsOnly } from './operators-only.tsx'
import { pagesOf } from '../../ui/list/pages.ts'
import { ReviewState } from './review-state.tsx'
import { Rows, useFound } from '../../ui/list/rows.tsx'
import { SearchInput } from '../../ui/list/search-input.tsx'
import { Table } from '../../ui/list/table.tsx'
import { useNarrowing } from '../../ui/list/use-narrowing.ts'

export const Screen = () => (
  <OperatorsOnly>
    <Companies />
  </OperatorsOnly>
)

const companiesQuery = ({ text, state: review }: CompaniesSearch) =>
  pagesOf(['operator', 'companies', text, review], ({ after, ...call }) =>
    api.listCompanies({
      query: {
        limit: 50,
        ...after,
        text,
        review,
      },
      ...call,
    }),
  )

const Companies = () => {
  const t = useTexts('operator')
  const { state, text }: CompaniesSearch = useSearch({ strict: false })
  const narrow = useNarrowing<CompaniesSearch>()
  const list = useInfiniteQuery({
    ...companiesQuery({ state, text }),
    placeholderData: (previous) => previous,
  })
  const isNarrowed = text !== undefined || state !== undefined
  const reset = () => narrow({ state: undefined, text: undefined })
  return (
    <Frame title={t.companies.title}>
      <Finder label={t.companies.search} found={useFound(list)} isNarrowed={isNarrowed} onReset={reset}>
        <SearchInput
          label={t.companies.search}
          hint={t.companies.searchHint}
          value={text ?? ''}
          onChange={(next) => narrow({ text: next })}
        />
        <FilterChip
          label={t.narrow}
          any={t.anyState}
          options={optionsOf(t.states)}
          value={state}
          onChange={(next) => narrow({ state: next })}
        />
      </Finder>
      <Rows
        list={list}
        empty={
          <Nothing isNarrowed={isNarrowed} onReset={reset}>
            <Empty title={t.companies.empty}>
              <p>{t.companies.emptyText}</p>
            </Empty>
          </Nothing>
        }
      >
        {(companies) => <List companies={companies} state={state} />}
      </Rows>
    </Frame>
  )
}

const List = ({
  companies,
  state,
}: {
  readonly companies: readonly Company[]
  readonly state: CompaniesSearch['state']
}) => {
  const t = useTexts('operator').companies
  const { date, number } = useFormats()
  return (
    <Table
      label={t.table}
      columns={[t.name, t.place, t.owner, t.members, t.state, t.since]}
      lines={companies.map((company) => ({
        id: company.id,
        cells: [
          <>
            <Link to="/operator/reviews/$company" params={{ company: company.id }} className="strong">
              {company.name}
            </Link>
            <span className="muted below">{company.vatId}</span>
          </>,
          `${company.address.city}, ${company.address.country}`,
          <>
            {company.owner.username}
            <span className="muted below">{company.owner.email}</span>
          </>,
          // The owner is a member, too.
          number(company.members.length + 1),
          company.verified || state !== undefined ? (
            <ReviewState state={company.verified ? 'verified' : (state ?? 'pending')} />
          ) : (
            <State kind="wait">{t.notVerified}</State>
          ),
          company.createdAt === undefined ? '–' : date(company.createdAt),
        ],
      }))}
    />
  )
}
