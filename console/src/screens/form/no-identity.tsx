import { Link } from '@tanstack/react-router'
import { useTexts } from '../../texts/catalog.ts'
import { Notice } from '../../ui/problem.tsx'

const keys: string = '/keys'

export const NoIdentity = ({ mode }: { readonly mode: 'test' | 'live' }) => {
  const t = useTexts('form')
  return (
    <Notice kind="warn">
      <p>{mode === 'live' ? t.noPublicIdentity : t.noIdentity}</p>
      <p>
        <Link to={keys}>{t.toKeys}</Link>
      </p>
    </Notice>
  )
}
