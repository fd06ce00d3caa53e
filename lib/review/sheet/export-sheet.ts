import 'server-only';
import { csvRows, CSV_START } from '@/lib/domain/csv';
import type { Locale } from '@/lib/domain/messages/locales';
import { cellsOf, headerCells, type SheetRow } from '@/lib/domain/sheet-columns';

/** How an exported sheet begins. */
export const sheetStart = (locale: Locale): string => CSV_START + csvRows([headerCells(locale)]);

/** R-096 Rows as they stand in an exported sheet: to read them back and export them again gives the same bytes. */
export const sheetRows = (rows: readonly SheetRow[]): string => csvRows(rows.map(cellsOf));
