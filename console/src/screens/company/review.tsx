import type { Review as Decision } from '@millseal/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { Problem } from '../../ui/problem.tsx'
import { Card, Fold } from '../../ui/screen.tsx'
import { State } from '../../ui/state.tsx'
import type { ReviewState } from './reviews.ts'

/** The state of the review in words, with the reason of a rejection. */
export const Review = ({
  state,
  reviews: { data = [], error, refetch },
}: {
  readonly state: ReviewState | undefined
  readonly reviews: UseQueryResult<readonly Decision[]>
}) => {
  const t = useTexts('company').review
  const [newest] = data
  return (
    <Card title={t.title}>
      {state !== undefined && <p>{t[`${state}Text`]}</p>}
      {newest !== undefined && <Line review={newest} />}
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data.length > 1 && (
        <Fold title={t.history(data.length)}>
          <ul className="lines">
            {data.map((review) => (
              <li key={review.id}>
                <Line review={review} />
              </li>
            ))}
          </ul>
        </Fold>
      )}
    </Card>
  )
}

const Line = ({ review }: { readonly review: Decision }) => {
  const t = useTexts('company').review
  const { time } = useFormats()
  const { decision, reason, reviewer, createdAt } = review
  return (
    <>
      <p className="row">
        <State kind={decision === 'verified' ? 'good' : 'bad'}>{t[decision]}</State>
        <span className="muted">{t.by(reviewer.username, time(createdAt))}</span>
      </p>
      {reason !== undefined && (
        <p>
          <b>{t.reason}:</b> {reason}
        </p>
      )}
    </>
  )
}
