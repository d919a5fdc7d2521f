import type { Company, CompanyNameCheck, Review as Decided } from '@millseal/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useHere } from '../../shell/here.ts'
import { NotFound } from '../../shell/failed.tsx'
import { ApiError } from '../../api/client.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Notice, Problem } from '../../ui/problem.tsx'
import { Card, Screen as Frame, Loading } from '../../ui/screen.tsx'
import { About } from './about.tsx'
import { Decide } from './decide.tsx'
import { Evidence } from './evidence.tsx'
import { History } from './history.tsx'
import { OperatorsOnly } from './operators-only.tsx'
import { companyQuery, nameCheckQuery, queueQuery, reviewsQuery } from './queries.ts'
import { ReviewState } from './review-state.tsx'
import { SecondFactorMissing } from './second-factor.tsx'
import { SimilarNames } from './similar-names.tsx'

export const Screen = () => (
  <OperatorsOnly>
    <Loaded />
  </OperatorsOnly>
)

const Loaded = () => {
  const t = useTexts('operator').review
  const { company: id = '' } = useParams({ strict: false })
  const company = useQuery(companyQuery(id))
  const reviews = useQuery(reviewsQuery(id))
  const nameCheck = useQuery(nameCheckQuery(id))
  const error = company.error ?? reviews.error ?? nameCheck.error
  if (company.data !== undefined && reviews.data !== undefined && nameCheck.data !== undefined)
    return <Review key={id} company={company.data} reviews={reviews.data} nameCheck={nameCheck.data} />
  if (error instanceof ApiError && error.status < 500) return <NotFound />
  return (
    <Frame title={t.fallback}>
      {error === null ? (
        <Loading />
      ) : (
        <Problem
          error={error}
          onRetry={() => void Promise.all([company, reviews, nameCheck].map((query) => query.refetch()))}
        />
      )}
    </Frame>
  )
}

const Review = ({
  company,
  reviews,
  nameCheck,
}: {
  readonly company: Company
  readonly reviews: readonly Decided[]
  readonly nameCheck: CompanyNameCheck
}) => {
  const t = useTexts('operator')
  const [done, setDone] = useState<Decided['decision']>()
  const unverified = reviews.length > 0 ? 'rejected' : 'pending'
  const state = company.verified ? 'verified' : unverified
  return (
    <Frame
      title={company.name}
      aside={<ReviewState state={state} />}
      actions={
        <>
          <Link to="/operator/audit" search={{ of: company.id }} className="button">
            {t.inAudit}
          </Link>
          <Link to="/operator/reviews" className="button">
            {t.review.back}
          </Link>
        </>
      }
    >
      {done !== undefined && <Done company={company} decision={done} />}
      <div className="split">
        <div className="stack">
          <SimilarNames {...nameCheck} />
          <Evidence company={company} />
          <Decision company={company} similar={nameCheck.similar} onDone={setDone} />
        </div>
        <div className="stack">
          <About company={company} />
          <History reviews={reviews} />
        </div>
      </div>
    </Frame>
  )
}

const Done = ({
  company,
  decision,
}: {
  readonly company: Company
  readonly decision: Decided['decision']
}) => {
  const t = useTexts('operator').review
  const { data } = useInfiniteQuery(queueQuery({}))
  const next = data?.pages[0]?.rows.find((one) => one.company.id !== company.id)
  return (
    <Notice kind="good">
      <p>
        <strong>{t.done(company.name, decision)}</strong>
      </p>
      <div className="row">
        {next !== undefined && (
          <Link
            to="/operator/reviews/$company"
            params={{ company: next.company.id }}
            className="button primary"
          >
            {t.next}: {next.company.name}
          </Link>
        )}
        <Link to="/operator/reviews" className="button">
          {t.toQueue}
        </Link>
      </div>
    </Notice>
  )
}

const Decision = ({
  company,
  similar,
  onDone,
}: {
  readonly company: Company
  readonly similar: CompanyNameCheck['similar']
  readonly onDone: (decision: Decided['decision']) => void
}) => {
  const t = useTexts('operator').review
  const { session } = useHere()
  if (!session.hasTwoFactors) return <SecondFactorMissing />
  const isOwn = session.memberships.some((membership) => membership.company.id === company.id)
  return (
    <Card title={t.decision}>
      {isOwn ? (
        <p>{t.own}</p>
      ) : (
        <>
          <p className="muted">{t.decisionText}</p>
          <div className="row">
            {!company.verified && (
              <Decide company={company} similar={similar} decision="verified" onDone={onDone} />
            )}
            <Decide company={company} similar={similar} decision="rejected" onDone={onDone} />
          </div>
        </>
      )}
    </Card>
  )
}
