import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Screen as Frame } from '../../ui/screen.tsx'
import './operator.css'

/** Other people get a page that says so, and no call is made. */
export const OperatorsOnly = ({ children }: { readonly children: ReactNode }) => {
  const t = useTexts('operator').only
  const { session } = useHere()
  if (session.isOperator) return children
  return (
    <Frame title={t.title}>
      <p>{t.text}</p>
      <p>
        <Link to="/start">{t.toStart}</Link>
      </p>
    </Frame>
  )
}
