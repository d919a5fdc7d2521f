import type { Onboarding } from '@millseal/contract'
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Card, Screen as Frame } from '../../ui/screen.tsx'
import './start.css'

const onboardingQuery = queryOptions({ queryKey: ['onboarding'], queryFn: () => api.readOnboarding() })

type Step = keyof Onboarding['steps']

const places: Readonly<Record<Step, string>> = {
  emailConfirmed: '/me',
  companyCreated: '/company',
  companyVerified: '/company',
  mfaEnabled: '/me',
  walletCreated: '/keys',
  identityCreated: '/keys',
}

export const Screen = () => {
  const t = useTexts('start')
  const { data } = useSuspenseQuery(onboardingQuery)
  return (
    <Frame title={t.title}>
      <p className="muted">{t.intro}</p>
      <Card>
        <ol className="steps">
          {(Object.keys(places) as Step[]).map((step) => {
            const [title, text] = t.steps[step]
            return (
              <li key={step} data-done={data.steps[step]}>
                <span className="mark" aria-hidden="true" />
                <span>
                  <Link to={places[step]}>{title}</Link>
                  <span className="muted">{text}</span>
                </span>
                <span>{data.steps[step] ? t.done : t.open}</span>
              </li>
            )
          })}
        </ol>
      </Card>
    </Frame>
  )
}
