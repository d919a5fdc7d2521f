import type { Review } from '@millseal/contract'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { Card, Facts, Fold } from '../../ui/screen.tsx'
import { registerFinding } from '../company/reviews.ts'
import { ReviewState } from './review-state.tsx'

/** Every decision about a company, newest first, with what the register said then. */
export const History = ({ reviews }: { readonly reviews: readonly Review[] }) => {
  const t = useTexts('operator').review
  return (
    <Card title={t.history}>
      {reviews.length === 0 ? (
        <p className="muted">{t.noHistory}</p>
      ) : (
        <ol className="decisions">
          {reviews.map((review) => (
            <li key={review.id}>
              <Decided review={review} />
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}

const Decided = ({ review }: { readonly review: Review }) => {
  const t = useTexts('operator').review
  const { time } = useFormats()
  const { decision, reason, reviewer, createdAt, evidence, evidenceHash } = review
  return (
    <>
      <p className="row">
        <ReviewState state={decision} />
        <span className="muted">{t.by(reviewer.username, time(createdAt))}</span>
      </p>
      {reason !== undefined && <p>{reason}</p>}
      <Fold title={`${t.evidenceThen}: ${t.registerThen[registerFinding(evidence)]}`}>
        <Facts
          facts={[
            [t.fields.name, evidence.registeredName],
            [t.address, evidence.registeredAddress],
            [t.checkDigits, t.findings[evidence.checkDigits]],
            [t.hash, <span className="mono">{evidenceHash}</span>],
          ]}
        />
      </Fold>
    </>
  )
}
