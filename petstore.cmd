@node "%~dp0bin\petstore.js" %*
