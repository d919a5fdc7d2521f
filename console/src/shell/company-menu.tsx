import { useTexts } from '../texts/catalog.ts'
import { ChoiceMenu } from '../ui/choice-menu.tsx'
import { useChangeHere, useHere } from './here.ts'

/** The company and the mode of everything on the screen. */
export const CompanyMenu = () => {
  const t = useTexts('shell')
  const common = useTexts('common')
  const { session, membership, mode, isLiveReady } = useHere()
  const change = useChangeHere()
  const options = session.memberships.map(({ company }) => ({ id: company.id, label: company.name }))
  if (membership === undefined) return <p className="muted">{t.noCompany}</p>
  return (
    <>
      {options.length > 1 ? (
        <ChoiceMenu
          label={t.company}
          className="button quiet account"
          options={options}
          value={membership.company.id}
          onChange={(company) => change({ company, mode: undefined })}
        />
      ) : (
        <b>{membership.company.name}</b>
      )}
      {isLiveReady && (
        <div className="chips" role="group" aria-label={`${common.test}, ${common.live}`}>
          {(['test', 'live'] as const).map((each) => (
            <button
              key={each}
              type="button"
              className="chip"
              aria-pressed={each === mode}
              onClick={() => change({ mode: each })}
            >
              {common[each]}
            </button>
          ))}
        </div>
      )}
    </>
  )
}
