import type { ReviewCase } from '@millseal/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import type { ReviewsSearch } from './searches.ts'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { Empty, Screen as Frame } from '../../ui/screen.tsx'
import { State, type StateKind } from '../../ui/state.tsx'
import { FilterChip, Finder, optionsOf } from '../../ui/list/finder.tsx'
import { Nothing } from '../../ui/list/nothing.tsx'
import { OperatorsOnly } from './operators-only.tsx'
import { queueQuery } from './queries.ts'
import { ReviewState } from './review-state.tsx'
import { Rows, useFound } from '../../ui/list/rows.tsx'
import { SearchInput } from '../../ui/list/search-input.tsx'
import { SecondFactorMissing } from './second-factor.tsx'
import { NameMark } from './similar-names.tsx'
import { Table } from '../../ui/list/table.tsx'
import { useNarrowing } from '../../ui/list/use-narrowing.ts'

export const Screen = () => (
  <OperatorsOnly>
    <Reviews />
  </OperatorsOnly>
)

const Reviews = () => {
  const t = useTexts('operator')
  const narrow = useNarrowing<ReviewsSearch>()
  const { state, text }: ReviewsSearch = useSearch({ strict: false })
  const list = useInfiniteQuery({
    ...queueQuery({ state, text }),
    placeholderData: (previous) => previous,
    refetchInterval: 30_000,
  })
  const isNarrowed = state !== undefined || text !== undefined
  const reset = () => narrow({ state: undefined, text: undefined })
  return (
    <Frame title={t.reviews.title}>
      <p className="muted">{t.reviews.intro}</p>
      <SecondFactorMissing />
      <Finder label={t.companies.search} found={useFound(list)} isNarrowed={isNarrowed} onReset={reset}>
        <SearchInput
          label={t.companies.search}
          hint={t.companies.searchHint}
          value={text ?? ''}
          onChange={(next) => narrow({ text: next })}
        />
        <FilterChip
          label={t.narrow}
          any={t.states.pending}
          options={optionsOf({ verified: t.states.verified, rejected: t.states.rejected })}
          value={state === 'pending' ? undefined : state}
          onChange={(next) => narrow({ state: next })}
        />
      </Finder>
      <Rows
        list={list}
        empty={
          <Nothing isNarrowed={isNarrowed} onReset={reset}>
            <NoCase />
          </Nothing>
        }
      >
        {(cases) => <Cases cases={cases} />}
      </Rows>
    </Frame>
  )
}

const NoCase = () => {
  const t = useTexts('operator').reviews
  return (
    <Empty title={t.empty}>
      <p>{t.emptyText}</p>
      <Link to="/operator/reviews" search={{ state: 'verified' }} className="button">
        {t.toVerified}
      </Link>
    </Empty>
  )
}

const Cases = ({ cases }: { readonly cases: readonly ReviewCase[] }) => {
  const t = useTexts('operator').reviews
  const { date } = useFormats()
  return (
    <Table
      label={t.table}
      columns={[t.company, t.vatId, t.number, t.founder, t.since, t.earlier]}
      lines={cases.map((one) => ({
        id: one.company.id,
        cells: [
          <>
            <Link to="/operator/reviews/$company" params={{ company: one.company.id }} className="strong">
              {one.company.name}
            </Link>
            <NameMark {...one.nameCheck} />
          </>,
          one.company.vatId,
          <Form evidence={one.evidence} />,
          <>
            {one.company.owner.username}
            <span className="muted below">{one.company.owner.email}</span>
          </>,
          one.company.createdAt === undefined ? '–' : date(one.company.createdAt),
          <Earlier reviews={one.reviews} />,
        ],
      }))}
    />
  )
}

/** The checks of the number itself, without the register. */
const Form = ({ evidence: { format, checkDigits } }: { readonly evidence: ReviewCase['evidence'] }) => {
  const t = useTexts('operator').reviews
  const [kind, words] = ((): readonly [StateKind, string] => {
    if (format === 'invalid') return ['bad', t.formatBad]
    if (checkDigits === 'invalid') return ['bad', t.digitsBad]
    if (format === 'unknown') return ['wait', t.unknown]
    return ['good', checkDigits === 'valid' ? t.digitsGood : t.formGood]
  })()
  return <State kind={kind}>{words}</State>
}

const Earlier = ({ reviews }: { readonly reviews: ReviewCase['reviews'] }) => {
  const t = useTexts('operator').reviews
  const { number } = useFormats()
  const [newest] = reviews
  if (newest === undefined) return t.none
  return (
    <>
      <ReviewState state={newest.decision} />
      {reviews.length > 1 && <span className="muted"> ({number(reviews.length)})</span>}
    </>
  )
}
