import { Link } from '@tanstack/react-router'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Notice } from '../../ui/problem.tsx'

/** Tells operators who can read a review but not decide it what is missing, and leads there. */
export const SecondFactorMissing = () => {
  const t = useTexts('operator').factor
  const { session } = useHere()
  if (session.hasTwoFactors) return null
  return (
    <Notice kind="warn">
      <p>
        <strong>{t.title}</strong>
      </p>
      <p>{t.text}</p>
      <div className="row">
        <Link to="/me" className="button">
          {t.action}
        </Link>
      </div>
    </Notice>
  )
}
