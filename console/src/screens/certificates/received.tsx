import { Link } from '@tanstack/react-router'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Empty, Screen as Frame } from '../../ui/screen.tsx'
import { addresses } from './data/addresses.ts'
import { NoCompany } from './data/no-company.tsx'
import { ListScreen } from './list/list-screen.tsx'

/** Certificates that other companies issued to this one. */
export const Screen = () => {
  const t = useTexts('certificates')
  const { membership } = useHere()
  if (membership === undefined) return <NoCompany />
  if (!membership.company.verified) return <Unverified />
  return (
    <ListScreen
      title={t.received}
      isReceived
      empty={
        <Empty title={t.receivedEmptyTitle}>
          <p>{t.receivedEmptyText}</p>
        </Empty>
      }
    />
  )
}

const Unverified = () => {
  const t = useTexts('certificates')
  return (
    <Frame title={t.received}>
      <Empty title={t.receivedUnverifiedTitle}>
        <p>{t.receivedUnverifiedText}</p>
        <Link to={addresses.company} className="button">
          {t.toReview}
        </Link>
      </Empty>
    </Frame>
  )
}
