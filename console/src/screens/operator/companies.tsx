import type { Company } from '@millseal/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import type { CompaniesSearch } from '../../routes/operator.ts'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { Screen as Frame } from '../../ui/screen.tsx'
import { State } from '../../ui/state.tsx'
import { Chips, Find, useNarrow } from './find.tsx'
import { Nothing } from './nothing.tsx'
import { OperatorsOnly } from './operators-only.tsx'
import { pagesOf } from './pages.ts'
import { ReviewState } from './review-state.tsx'
import { Rows } from './rows.tsx'
import { Table } from './table.tsx'

export const Screen = () => (
  <OperatorsOnly>
    <Companies />
  </OperatorsOnly>
)

const companiesQuery = ({ text, state: review }: CompaniesSearch) =>
  pagesOf(['companies', text, review], ({ after, ...call }) =>
    api.listCompanies({
      query: {
        limit: 50,
        ...after,
        ...(text !== undefined && { text }),
        ...(review !== undefined && { review }),
      },
      ...call,
    }),
  )

const Companies = () => {
  const t = useTexts('operator')
  const { state, text }: CompaniesSearch = useSearch({ strict: false })
  const narrow = useNarrow()
  const list = useInfiniteQuery({
    ...companiesQuery({ state, text }),
    placeholderData: (previous) => previous,
  })
  return (
    <Frame title={t.companies.title}>
      <div className="row narrowing">
        <Find label={t.companies.search} hint={t.companies.searchHint} text={text} />
        <Chips
          label={t.narrow}
          values={t.states}
          value={state}
          onChange={(next) => narrow({ state: next })}
        />
      </div>
      <Rows
        list={list}
        empty={
          <Nothing
            isNarrowed={text !== undefined || state !== undefined}
            onReset={() => narrow({ state: undefined, text: undefined })}
            title={t.companies.empty}
            text={t.companies.emptyText}
          />
        }
      >
        {(companies) => <List companies={companies} state={state} />}
      </Rows>
    </Frame>
  )
}

type ListProps = { readonly companies: readonly Company[]; readonly state: CompaniesSearch['state'] }

const List = ({ companies, state }: ListProps) => {
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
          number(company.members.length),
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
