import { useState } from 'preact/hooks'
import { TextField } from '../fields/text-field.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Form } from '../parts/form.tsx'

interface MoveDialogProps {
  name: string
  /** Its place now, from 1. */
  position: number
  count: number
  onMove(place: number): void
  onClose(): void
}

/** Asks for another place in the list. */
export function MoveDialog({ name, position, count, onMove, onClose }: MoveDialogProps) {
  const [text, setText] = useState(String(position))
  const [refusal, setRefusal] = useState<string>()

  function submit() {
    const place = Number(text)
    if (!Number.isInteger(place) || place < 1 || place > count) return setRefusal(`Name a place from 1 to ${count}`)
    if (place !== position) onMove(place)
    onClose()
  }

  return (
    <Dialog title={`Move ${name}`} onClose={onClose}>
      <Form action="Move" onSubmit={submit}>
        <TextField
          label="Place"
          hint={`From 1 to ${count}; it is number ${position} now`}
          type="number"
          refusal={refusal}
          value={text}
          onInput={setText}
        />
      </Form>
    </Dialog>
  )
}
