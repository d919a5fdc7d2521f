import type { Company } from '@millseal/contract'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { Card, Facts } from '../../ui/screen.tsx'

/** Further facts for the decision: the founder, and the company's own description. */
export const About = ({ company }: { readonly company: Company }) => {
  const t = useTexts('operator').review
  const { date } = useFormats()
  const { owner, createdAt, members, emails, websites, accreditations } = company
  return (
    <Card title={t.about}>
      <Facts
        facts={[
          [
            t.founder,
            <>
              <Link to="/operator/users" search={{ text: owner.email }}>
                {owner.username}
              </Link>
              <span className="muted below">
                {owner.email}
                {!owner.emailConfirmed && ` (${t.unconfirmed})`}
              </span>
            </>,
          ],
          [t.founded, createdAt === undefined ? undefined : date(createdAt)],
          [t.members, members.map(({ username }) => username).join(', ')],
          [t.addresses, emails.join(', ')],
          [t.websites, websites.join(', ')],
          [t.accreditations, accreditations.join(', ')],
        ]}
      />
    </Card>
  )
}
