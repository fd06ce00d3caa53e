'use client';

import { useTranslations } from 'next-intl';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Textarea } from '../ui/textarea';
import { emptyGuide, GUIDE_FIELDS, GUIDE_LANGUAGES, type GuideDraft } from './operation-draft';
import { useProblemText } from './problem-text';
import { type Problems } from './read-draft';

interface GuideFieldsProps {
  guide: GuideDraft | null;
  problems: Problems;
  onChange: (guide: GuideDraft | null) => void;
}

/** The guide in both languages, side by side where there is room: whoever writes one sees what the other says. */
export function GuideFields({ guide, problems, onChange }: GuideFieldsProps) {
  const t = useTranslations('policies');
  const sections = useTranslations('exception.guide.section');
  const problemText = useProblemText();
  if (guide === null)
    return (
      <div className="flex flex-wrap items-center gap-3 text-sm">
        <p className="text-ink-muted">{t('form.guideNone')}</p>
        <Button size="sm" onClick={() => onChange(emptyGuide())}>
          {t('form.addGuide')}
        </Button>
      </div>
    );
  return (
    <div className="flex flex-col gap-4">
      {GUIDE_FIELDS.map((field) => (
        <fieldset key={field} className="flex flex-col gap-1.5">
          <legend className="text-sm font-semibold">{sections(field)}</legend>
          <p className="text-xs text-ink-muted">{t(`guideHint.${field}`)}</p>
          <div className="grid gap-3 md:grid-cols-2">
            {GUIDE_LANGUAGES.map((language) => {
              const name = `guide.${language}.${field}`;
              return (
                <Field
                  key={language}
                  required
                  label={t('guideIn', { section: sections(field), language: t(`language.${language}`) })}
                  error={problemText(name, problems.get(name))}
                >
                  {(control) => (
                    <Textarea
                      {...control}
                      name={name}
                      lang={language}
                      rows={2}
                      maxLength={2_000}
                      value={guide[language][field]}
                      onChange={(event) =>
                        onChange({
                          ...guide,
                          [language]: { ...guide[language], [field]: event.target.value },
                        })
                      }
                    />
                  )}
                </Field>
              );
            })}
          </div>
        </fieldset>
      ))}
      <div>
        <Button size="sm" look="warn" onClick={() => onChange(null)}>
          {t('form.removeGuide')}
        </Button>
      </div>
    </div>
  );
}
