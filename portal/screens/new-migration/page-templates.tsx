import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { templatesQuery } from '../../data/store-queries.ts'
import { counted } from '../../format/number.ts'
import { Checkbox } from '../../ui/choices.tsx'
import { PartState } from '../part-state.tsx'
import type { SectionProps } from './section.ts'

/** Template files of the source whose pages have content of their own. */
export function PageTemplates({ draft, onChange }: Pick<SectionProps, 'draft' | 'onChange'>) {
  const { source, sourceStorefront, templates, pagesOf, siteWide, strategy } = draft
  // One that is given up stays, with the focus on it.
  const [before] = useState(templates)
  const found = useQuery({ ...templatesQuery(source, sourceStorefront), enabled: source !== '' })
  const { data } = found
  if (source === '') return <p className="hint">Choose the store to copy from first.</p>
  if (!data) return <PartState query={found}>Reading the pages of the store…</PartState>
  const toggle = (file: string, isOn: boolean) => {
    const { [file]: _, ...otherPages } = pagesOf
    // Chosen anew, it is all of its pages.
    onChange({ templates: isOn ? [...templates, file] : templates.filter((one) => one !== file), pagesOf: otherPages })
  }
  const replaces =
    strategy === 'skip'
      ? 'Only if the destination’s storefront has none of its own.'
      : 'Replaces those of the destination’s storefront.'
  const gone = [...new Set([...before, ...templates])].filter((file) => data.items.every((one) => one.file !== file))
  return (
    <fieldset className="choices">
      <legend>Page templates</legend>
      {data.items.length === 0 && (
        <p className="hint">No page of this store has content of its own. Choose something else to copy.</p>
      )}
      {data.items.map(({ file, pages }) => (
        <Checkbox
          key={file}
          label={
            <>
              <code>{file}</code> {counted(pages, 'page')}
            </>
          }
          meaning={pagesOf[file] && `Only ${counted(pagesOf[file].length, 'page')} of it, as before.`}
          isChecked={templates.includes(file)}
          onChange={(isOn) => toggle(file, isOn)}
        />
      ))}
      {gone.map((file) => (
        <Checkbox
          key={file}
          label={<code>{file}</code>}
          meaning="No page of the store uses it now."
          isChecked={templates.includes(file)}
          onChange={(isOn) => toggle(file, isOn)}
        />
      ))}
      <Checkbox
        label="Also copy the widgets on all pages, such as in header and footer"
        meaning={data.siteWide ? replaces : 'This store has none.'}
        // What was chosen for another store or storefront can be left out.
        offBecause={data.siteWide || siteWide ? undefined : 'This store has none.'}
        isChecked={siteWide}
        onChange={(isOn) => onChange({ siteWide: isOn })}
      />
    </fieldset>
  )
}
