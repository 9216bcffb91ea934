import { Dialog } from './dialog.tsx'

/** The dialog of the user's presets. */
export function Presets({ onClose }: { onClose(): void }) {
  return (
    <Dialog title="Presets" onClose={onClose}>
      <p>…</p>
    </Dialog>
  )
}
