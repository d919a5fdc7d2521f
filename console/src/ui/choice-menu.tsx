import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'

/** One of several, outside of forms. It is much smaller than `Select`, so the shell uses it. */
export const ChoiceMenu = ({
  label,
  className,
  options,
  value,
  onChange,
}: {
  readonly label: string
  readonly className: string
  readonly options: readonly { readonly id: string; readonly label: string }[]
  readonly value: string
  readonly onChange: (id: string) => void
}) => {
  const chosen = options.find(({ id }) => id === value)?.label ?? value
  return (
    <MenuTrigger>
      <Button className={className} aria-label={`${label}: ${chosen}`}>
        {chosen} <span aria-hidden="true">▾</span>
      </Button>
      <Popover className="popover">
        <Menu
          aria-label={label}
          selectionMode="single"
          selectedKeys={[value]}
          onAction={(id) => onChange(String(id))}
        >
          {options.map((option) => (
            <MenuItem key={option.id} id={option.id}>
              {option.label}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
