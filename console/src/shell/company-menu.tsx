import { useTexts } from '../texts/catalog.ts'
import { ChoiceMenu } from '../ui/choice-menu.tsx'
import { useChangeHere, useHere } from './here.ts'

/** The company of everything on the screen. */
export const CompanyMenu = () => {
  const t = useTexts('shell')
  const { session, membership, may } = useHere()
  const change = useChangeHere()
  if (membership === undefined)
    return <span className="company">{may('listReviewQueue') ? t.sections.operator : t.noCompany}</span>
  const { id, name } = membership.company
  if (session.memberships.length === 1) return <b className="company">{name}</b>
  return (
    <ChoiceMenu
      label={t.company}
      className="company"
      options={session.memberships.map(({ company }) => ({ id: company.id, label: company.name }))}
      value={id}
      onChange={(company) => change({ company, mode: undefined })}
    />
  )
}
