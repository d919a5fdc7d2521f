import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { LabelText } from './field.tsx'
import type { Label } from './form-context.ts'

const focusIn = (pointer: string): void => {
  const part = document.querySelector(`[data-pointer="${CSS.escape(pointer)}"]`)
  part?.querySelector<HTMLElement>('input, textarea, button')?.focus()
}

/** The parts that a form does not have yet, in a menu. */
export const AddMenu = ({
  of,
  title,
  options,
  onAdd,
  focus,
}: {
  /** The name of the group that the parts belong to. */
  readonly of: string
  readonly title?: string
  readonly options: readonly (Label & { readonly id: string })[]
  readonly onAdd: (id: string) => void
  /** The pointer of the added part, so that the next key is typed there. */
  readonly focus?: (id: string) => string
}) => {
  const t = useTexts('form')
  const names = options.map(({ text }) => text)
  const more = names.splice(2).length
  const named = title ?? t.addParts(names.join(', ')) + (more > 0 ? t.andMore(more) : '')
  return (
    <MenuTrigger>
      <Button kind="quiet" className="form-add" aria-label={`${named}: ${of}`}>
        + {named}
      </Button>
      <Popover className="popover">
        <Menu
          items={options}
          onAction={(key) => {
            onAdd(String(key))
            // React Aria first gives the focus back to the button.
            if (focus !== undefined) setTimeout(() => focusIn(focus(String(key))), 60)
          }}
        >
          {(option) => (
            <MenuItem id={option.id} textValue={option.text}>
              <LabelText {...option} />
            </MenuItem>
          )}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
