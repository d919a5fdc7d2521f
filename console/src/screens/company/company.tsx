import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { api } from '../../api/client.ts'
import { type Membership, sessionQuery } from '../../api/session.ts'
import type { CompanySearch } from './search.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { NeedsCompany } from '../../ui/needs-company.tsx'
import { RemovalCard } from '../../ui/removal-card.tsx'
import { Screen as Frame, Loading } from '../../ui/screen.tsx'
import { State } from '../../ui/state.tsx'
import './company.css'
import { Contacts } from './contacts.tsx'
import { Data } from './data.tsx'
import { FindingsRule } from './findings-rule.tsx'
import { FourEyesRule } from './four-eyes.tsx'
import { Review } from './review.tsx'
import { reviewStateOf, useReviews } from './reviews.ts'
import { VatId } from './vat-id.tsx'

const Looks = lazy(async () => ({ default: (await import('./looks.tsx')).Looks }))
const waitingMs = 5_000

export const Screen = () => {
  const t = useTexts('company')
  const { membership } = useHere()
  if (membership !== undefined) return <Parts key={membership.company.id} membership={membership} />
  return (
    <Frame title={t.title}>
      <NeedsCompany {...t.none} />
    </Frame>
  )
}

const kinds = { verified: 'good', waiting: 'wait', rejected: 'bad' } as const

const Parts = ({ membership }: { readonly membership: Membership }) => {
  const t = useTexts('company')
  const shell = useTexts('shell')
  const { company } = membership
  const { part }: CompanySearch = useSearch({ strict: false })
  const reviews = useReviews(company.id)
  const state = reviewStateOf(company, reviews.data)
  // Shows the decision of the operator without a click.
  useQuery({ ...sessionQuery, refetchInterval: company.verified ? false : waitingMs })
  return (
    <Frame
      title={company.name}
      aside={state !== undefined && <State kind={kinds[state]}>{t.review[state]}</State>}
      actions={
        <Link to="/company/new" className="button">
          {shell.newCompany}
        </Link>
      }
    >
      <div className="chips">
        {([undefined, 'looks'] as const).map((each) => (
          <Link
            key={each ?? 'data'}
            to="/company"
            search={(search: object) => ({ ...search, part: each, receiver: undefined })}
            className={each === part ? 'chip on' : 'chip'}
            aria-current={each === part ? 'page' : undefined}
            activeProps={{}}
          >
            {t.parts[each ?? 'data']}
          </Link>
        ))}
      </div>
      {part === 'looks' ? (
        <Suspense fallback={<Loading />}>
          <Looks company={company} />
        </Suspense>
      ) : (
        <div className="split">
          <div className="stack">
            <Data company={company} />
            <Contacts company={company} />
          </div>
          <div className="stack">
            <Review state={state} reviews={reviews} />
            <VatId company={company} review={reviews.data?.[0]} />
            <FindingsRule company={company} />
            <FourEyesRule company={company} />
            <Removal membership={membership} />
          </div>
        </div>
      )}
    </Frame>
  )
}

const Removal = ({ membership: { company } }: { readonly membership: Membership }) => {
  const t = useTexts('company').remove
  const { may } = useHere()
  const queries = useQueryClient()
  const navigate = useNavigate()
  if (!may('deleteCompany')) return null
  const remove = async () => {
    await api.deleteCompany({ params: { id: company.id } })
    await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
    await navigate({ to: '/start', search: { company: undefined, mode: undefined } })
  }
  return <RemovalCard texts={t} name={company.name} onConfirm={remove} />
}
