import { useState } from 'react'
import { limits } from '../src/contract/primitives/limits.ts'
import { FormDialog } from './form-dialog.tsx'
import { TextField } from './ui/field.tsx'

interface RenameDialogProps {
  title: string
  hint: string
  /** The name until now. */
  name: string
  onSave: (name: string) => Promise<void>
  onClose: () => void
}

/** Asks for another name of something that the service calls its label. */
export function RenameDialog({ title, hint, name: before, onSave, onClose }: RenameDialogProps) {
  const [name, setName] = useState(before)
  return (
    <FormDialog title={title} submit="Save the name" onSave={() => onSave(name)} onClose={onClose}>
      {(problems) => (
        <TextField
          label="Name"
          hint={hint}
          value={name}
          maxLength={limits.textLength}
          onChange={setName}
          problem={problems.label}
        />
      )}
    </FormDialog>
  )
}
