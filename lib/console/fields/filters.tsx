import { useEffect, useRef, useState } from 'preact/hooks'
import { useDebounced } from '../hooks/use-search.ts'
import { route, setQuery } from '../route.ts'
import { Select, TextField } from './field.tsx'

interface FilterProps {
  label: string
  parameter: string
}

/** A text that filters a list. The address takes the text after a pause in typing; the field follows the address. */
export function FilterField({ label, parameter, placeholder }: FilterProps & { placeholder?: string }) {
  const inAddress = route.value.query.get(parameter) ?? ''
  const [text, setText] = useState(inAddress)
  const typed = useDebounced(text.trim())
  const lastWritten = useRef(inAddress)

  useEffect(() => {
    if (inAddress !== lastWritten.current) setText(inAddress)
    else if (typed !== inAddress) setQuery({ [parameter]: typed, page: undefined })
    lastWritten.current = route.peek().query.get(parameter) ?? ''
  }, [typed, inAddress])

  return <TextField label={label} type="search" placeholder={placeholder} value={text} onInput={setText} />
}

const NONE = 'all'

interface FilterSelectProps extends FilterProps {
  value: string | undefined
  names: Readonly<Record<string, string>>
  all?: string
}

export const FilterSelect = ({ label, parameter, value, names, all = 'All' }: FilterSelectProps) => (
  <Select
    label={label}
    value={value ?? NONE}
    options={[{ value: NONE, name: all }, ...Object.entries(names).map(([value, name]) => ({ value, name }))]}
    onChange={(next) => setQuery({ [parameter]: next === NONE ? undefined : next, page: undefined })}
  />
)
