import { Link } from '@tanstack/react-router'
import { useTexts } from '../../../texts/catalog.ts'
import { Empty, Screen } from '../../../ui/screen.tsx'

/** Replaces a screen about certificates for somebody without a company. */
export const NoCompany = () => {
  const t = useTexts('certificates')
  return (
    <Screen title={t.title}>
      <Empty title={t.noCompanyTitle}>
        <p>{t.noCompanyText}</p>
        <Link to="/start" className="button primary">
          {t.toStart}
        </Link>
      </Empty>
    </Screen>
  )
}
