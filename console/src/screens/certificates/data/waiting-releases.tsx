import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useHere } from '../../../shell/here.ts'
import { useTexts } from '../../../texts/catalog.ts'
import { countsQuery } from '../list/list-query.ts'

/** The number of certificates that wait for a release, with a link to them. */
export const WaitingReleases = () => {
  const t = useTexts('certificates').release
  const { company, mode } = useHere()
  const { data } = useQuery(countsQuery({ company, mode }))
  const count = data?.awaitingRelease.count ?? 0
  if (count === 0) return null
  return (
    <div className="notice row" role="status">
      <p>
        {t.waiting(count)}{' '}
        <Link to="/certificates" search={{ state: 'awaitingRelease' } as never}>
          {t.show}
        </Link>
      </p>
    </div>
  )
}
