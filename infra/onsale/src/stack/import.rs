//! Bringing a new event into the table, the fast way where there is one.

use domain::plan_import::Imported;

use super::StackError;
use super::inner::Inner;

impl Inner {
    /// See [`super::Stack::import`].
    pub async fn import(&self, event: &Imported, mut progress: impl FnMut(usize, usize)) -> Result<(), StackError> {
        let table = self.table();
        let known = table.definition(&event.definition.id).await.map_err(table::ImportError::from)?.is_some();
        match &self.embedded {
            Some(embedded) if !known => {
                let items = table::first_items(event);
                let count = items.len();
                progress(0, count);
                embedded.put_all(&self.table, items).await?;
                progress(count, count);
                Ok(())
            }
            _ => Ok(table.import(event, progress).await.map(drop)?),
        }
    }
}
